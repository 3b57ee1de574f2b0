/** Is this the build with everything in one file? */
declare const __REPLAY__: boolean;

declare module "#layout-worker" {
  const LayoutWorker: new () => Worker;
  export default LayoutWorker;
}

declare module "gifenc" {
  type Palette = number[][];
  type Format = "rgb444" | "rgb565" | "rgba4444";
  export function quantize(
    rgba: Uint8ClampedArray,
    most: number,
    options?: { format?: Format },
  ): Palette;
  export function applyPalette(
    rgba: Uint8ClampedArray,
    palette: Palette,
    format?: Format,
  ): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(
      pixels: Uint8Array,
      width: number,
      height: number,
      options: { palette: Palette; delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
