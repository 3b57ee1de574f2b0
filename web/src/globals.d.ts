/** Is this the build with everything in one file? */
declare const __REPLAY__: boolean;
