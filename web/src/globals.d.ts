/** Is this the build with everything in one file? */
declare const __REPLAY__: boolean;

declare module "#layout-worker" {
  const LayoutWorker: new () => Worker;
  export default LayoutWorker;
}
