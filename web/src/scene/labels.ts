// Words and gauges inside the picture, always upright, always the same size on the screen; being part
// of the picture, they are in every photograph and film of it.
import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace } from "three";
import { colour } from "../page/theme.ts";

const SHARP = 2; // pixels of the texture for each pixel of the screen
const RING = 18; // px
const LEAST_GAUGE = 112; // px
const TALL = 20; // px, of a line
const FONT = '600 13px system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif';

export class Label {
  readonly sprite: Sprite;
  private readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d");
  private drawn = "";
  width = 1; // px on the screen
  height = TALL;

  constructor(anchor: "centre" | "above" = "centre") {
    const map = new CanvasTexture(this.canvas);
    const look = { map, sizeAttenuation: false, depthTest: false, transparent: true, fog: false };
    this.sprite = new Sprite(new SpriteMaterial(look));
    this.sprite.renderOrder = 3;
    if (anchor === "above") this.sprite.center.set(0.5, -0.4);
  }

  write(text: string, ink = colour("--text")): void {
    const key = `${text}\n${ink}`;
    if (!this.pen || key === this.drawn) return;
    this.drawn = key;
    const width = this.widthOf(text) + 10;
    this.draw(width, TALL, (pen) => {
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeStyle = colour("--sky-low");
      pen.fillStyle = ink;
      pen.strokeText(text, 5, TALL / 2);
      pen.fillText(text, 5, TALL / 2);
    });
  }

  /** A ring around something too small to be seen. */
  ring(): void {
    if (this.drawn === "ring") return;
    this.drawn = "ring";
    this.draw(RING, RING, (pen) => {
      pen.strokeStyle = colour("--cursor");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(RING / 2, RING / 2, RING / 2 - 2, 0, 2 * Math.PI);
      pen.stroke();
    });
  }

  /** A dial: its name, a bar filled to `share`, and the value. */
  gauge(name: string, share: number, value: string): void {
    const key = `${name}\n${share.toFixed(3)}\n${value}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const height = 46;
    const width = Math.max(LEAST_GAUGE, this.widthOf(name) + this.widthOf(value) + 30);
    this.draw(width, height, (pen) => {
      pen.fillStyle = colour("--pane");
      pen.strokeStyle = colour("--line");
      pen.beginPath();
      pen.roundRect(1, 1, width - 2, height - 2, 7);
      pen.fill();
      pen.stroke();
      pen.fillStyle = colour("--text");
      pen.fillText(name, 8, 14);
      pen.textAlign = "right";
      pen.fillText(value, width - 8, 14);
      pen.fillStyle = colour("--line");
      pen.fillRect(8, 28, width - 16, 8);
      pen.fillStyle = colour("--series-0");
      pen.fillRect(8, 28, (width - 16) * Math.min(Math.max(share, 0), 1), 8);
    });
  }

  private widthOf(text: string): number {
    if (!this.pen) return 0;
    this.pen.font = FONT;
    return Math.ceil(this.pen.measureText(text).width);
  }

  private draw(
    width: number,
    height: number,
    paint: (pen: CanvasRenderingContext2D) => void,
  ): void {
    const pen = this.pen;
    if (!pen) return;
    this.width = width;
    this.height = height;
    this.canvas.width = width * SHARP;
    this.canvas.height = height * SHARP;
    pen.setTransform(SHARP, 0, 0, SHARP, 0, 0);
    pen.font = FONT;
    pen.textBaseline = "middle";
    paint(pen);
    const { material } = this.sprite;
    material.map?.dispose();
    material.map = new CanvasTexture(this.canvas);
    material.map.colorSpace = SRGBColorSpace;
    material.map.minFilter = LinearFilter;
    material.map.generateMipmaps = false;
  }

  /** Stand so many pixels above its place. */
  raise(pixels: number): void {
    this.sprite.center.setY(0.5 - pixels / this.height);
  }

  /** Keep its size on the screen: `pixel` is what one pixel measures at distance one, or everywhere. */
  scale(pixel: number): void {
    this.sprite.scale.set(this.width * pixel, this.height * pixel, 1);
  }

  dispose(): void {
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
  }
}
