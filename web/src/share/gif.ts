// Moving pictures for where films are not shown: GIF, 256 colours, ten pictures a second.
import { applyPalette, GIFEncoder, quantize } from "gifenc";

export const GIF_RATE = 10; // pictures a second
const WIDEST = 640; // px

/** Takes pictures of a canvas, smaller than it is, and makes a file of them. */
export class Gif {
  private readonly encoder = GIFEncoder();
  private readonly small = document.createElement("canvas");
  private readonly pen = this.small.getContext("2d", { willReadFrequently: true })!;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const share = Math.min(1, WIDEST / canvas.clientWidth);
    this.small.width = Math.max(1, Math.round(share * canvas.clientWidth));
    this.small.height = Math.max(1, Math.round(share * canvas.clientHeight));
  }

  /** One more picture; the canvas has just been drawn. */
  take(): void {
    const { width, height } = this.small;
    this.pen.drawImage(this.canvas, 0, 0, width, height);
    const { data } = this.pen.getImageData(0, 0, width, height);
    const palette = quantize(data, 256, { format: "rgb444" });
    const pixels = applyPalette(data, palette, "rgb444");
    this.encoder.writeFrame(pixels, width, height, { palette, delay: 1000 / GIF_RATE });
  }

  done(): Blob {
    this.encoder.finish();
    return new Blob([this.encoder.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" });
  }
}
