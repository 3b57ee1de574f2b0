// A film of the scene: WebM, recorded by the browser itself, or a GIF, picture by picture.
import type { Picture } from "../scene/scene.ts";
import { Cell } from "../state/cell.ts";
import { GIF_RATE, Gif } from "./gif.ts";

const RATE = 30; // pictures a second
const STILL = 4; // of them, where nothing moves

/** A kind of film: how often it wants a picture, and how long it may be. */
export interface Camera {
  rate: number;
  longest: number; // s
  roll(canvas: HTMLCanvasElement): Rolling;
}

/** One that is being made. */
interface Rolling {
  /** The canvas has been drawn. */
  take(): void;
  done(): Promise<Blob>;
}

export const WEBM: Camera = {
  rate: STILL,
  longest: 300,
  roll(canvas) {
    const parts: Blob[] = [];
    const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: "video/webm" });
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start(1000);
    return {
      take: () => {},
      done: () =>
        new Promise((found) => {
          recorder.onstop = () => found(new Blob(parts, { type: "video/webm" }));
          recorder.stop();
        }),
    };
  },
};

export const GIF: Camera = {
  rate: GIF_RATE,
  longest: 30,
  roll(canvas) {
    const gif = new Gif(canvas);
    return { take: () => gif.take(), done: async () => gif.done() };
  },
};

export class Film {
  /** How long it is by now, s; null while none is recorded. */
  readonly recorded = new Cell<number | null>(null);
  private rolling: Rolling | null = null;
  private timer = 0;

  constructor(
    private readonly camera: Camera,
    private readonly picture: Picture,
    private readonly done: (film: Blob) => void,
  ) {}

  toggle(): void {
    if (this.rolling) this.stop();
    else this.start();
  }

  private start(): void {
    const rolling = this.camera.roll(this.picture.canvas);
    const began = performance.now();
    this.rolling = rolling;
    this.recorded.set(0);
    const take = () => {
      this.picture.draw(); // a scene at rest is filmed too
      rolling.take();
    };
    take();
    this.timer = setInterval(() => {
      const length = (performance.now() - began) / 1000;
      this.recorded.set(length);
      take();
      if (length > this.camera.longest) this.stop();
    }, 1000 / this.camera.rate) as unknown as number;
  }

  private stop(): void {
    clearInterval(this.timer);
    void this.rolling?.done().then(this.done);
    this.rolling = null;
    this.recorded.set(null);
  }
}
