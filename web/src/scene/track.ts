// Where bodies have been: positions by time, for trails. Frames may come in any order of time.
import { PER_BODY } from "../protocol/binary.ts";
import { lastUpTo } from "../source/sorted.ts";

const MOST = 3000; // instants; beyond that every second one is forgotten

export class Track {
  private times: number[] = [];
  private places: Float32Array[] = []; // x y z of each body

  get length(): number {
    return this.times.length;
  }

  add(time: number, bodies: Float32Array): void {
    const at = lastUpTo(this.times.length, (i) => this.times[i]!, time);
    if (this.times[at] === time) return;
    const places = new Float32Array((bodies.length / PER_BODY) * 3);
    for (let i = 0; i < places.length; i++) {
      places[i] = bodies[Math.floor(i / 3) * PER_BODY + (i % 3)]!;
    }
    this.times.splice(at + 1, 0, time);
    this.places.splice(at + 1, 0, places);
    if (this.times.length > MOST) this.thin();
  }

  /** Forget what is later than `time`; what was forgotten comes back as a track of its own. */
  cut(time: number): Track {
    const rest = new Track();
    const keep = lastUpTo(this.times.length, (i) => this.times[i]!, time) + 1;
    rest.times = this.times.splice(keep);
    rest.places = this.places.splice(keep);
    return rest;
  }

  /** The path of a body in [from, to], at most `room` points, written into `out`; how many. */
  path(body: number, from: number, to: number, out: Float32Array, room: number): number {
    const first = lastUpTo(this.times.length, (i) => this.times[i]!, from) + 1;
    const last = lastUpTo(this.times.length, (i) => this.times[i]!, to);
    const step = Math.max(1, Math.ceil((last - first + 1) / room));
    let count = 0;
    for (let i = first; i <= last; i += step) {
      const place = this.places[i]!;
      for (let k = 0; k < 3; k++) out[3 * count + k] = place[3 * body + k] ?? 0;
      count++;
    }
    return count;
  }

  private thin(): void {
    this.times = this.times.filter((_, i) => i % 2 === 0);
    this.places = this.places.filter((_, i) => i % 2 === 0);
  }
}
