// A film of the scene, recorded by the browser itself.
import type { Picture } from "../scene/scene.ts";
import { Cell } from "../state/cell.ts";

const RATE = 30; // pictures a second
const LONGEST = 300; // s

export class Film {
  /** How long it is by now, s; null while none is recorded. */
  readonly recorded = new Cell<number | null>(null);
  private recorder: MediaRecorder | null = null;
  private timer = 0;

  constructor(
    private readonly picture: Picture,
    private readonly done: (film: Blob) => void,
  ) {}

  toggle(): void {
    if (this.recorder) this.stop();
    else this.start();
  }

  private start(): void {
    const parts: Blob[] = [];
    const stream = this.picture.canvas.captureStream(RATE);
    const recorder = new MediaRecorder(stream, { mimeType: "video/webm" });
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => this.done(new Blob(parts, { type: "video/webm" }));
    const began = performance.now();
    recorder.start(1000);
    this.recorder = recorder;
    this.recorded.set(0);
    this.picture.draw();
    this.timer = setInterval(() => {
      const length = (performance.now() - began) / 1000;
      this.recorded.set(length);
      this.picture.draw(); // a scene at rest is filmed too
      if (length > LONGEST) this.stop();
    }, 250) as unknown as number;
  }

  private stop(): void {
    clearInterval(this.timer);
    this.recorder?.stop();
    this.recorder = null;
    this.recorded.set(null);
  }
}
