// How much is drawn: steps down by itself where drawing is slow, and up again where it is fast.

export interface Quality {
  /** Pixels of the picture for each pixel of the screen, at most. */
  ratio: number;
  shadows: number; // px on a side of the shadow's map; 0: none
  trails: boolean;
}

export const LEVELS: readonly Quality[] = [
  { ratio: 2, shadows: 2048, trails: true },
  { ratio: 1, shadows: 1024, trails: true },
  { ratio: 1, shadows: 0, trails: true },
  { ratio: 0.75, shadows: 0, trails: true },
  { ratio: 0.5, shadows: 0, trails: false },
  { ratio: 0.3, shadows: 0, trails: false },
];

/** Where a browser without graphics hardware begins. */
export const SOFTWARE = 2;

const SLOW = 80; // ms between pictures: fewer than 13 a second
const FAST = 24; // ms: more than 40
const TRIED = 12; // pictures before a step down,
const PATIENCE = 1500; // or ms of slow ones: who waits for seconds is not to wait for twelve of them
const SURE = 240; // pictures before a step up

export class Pace {
  private last: number | null = null;
  private slow = 0;
  private waited = 0; // ms, of slow pictures
  private fast = 0;
  private best = 0; // a level that was too slow once is not tried again

  constructor(public level = 0) {}

  get quality(): Quality {
    return LEVELS[this.level]!;
  }

  /** A picture was drawn at `now` (ms); it was `late` if more than one was due since the one
   * before: a model that itself comes slowly is no reason to draw it badly. True if the level
   * changed. */
  drawn(now: number, late: boolean): boolean {
    const wait = late && this.last !== null ? now - this.last : 0;
    this.last = now;
    const isSlow = wait > SLOW;
    this.slow = isSlow ? this.slow + 1 : Math.max(0, this.slow - 1);
    this.waited = isSlow ? this.waited + wait : 0;
    this.fast = wait < FAST ? this.fast + 1 : 0;
    const tooSlow = this.slow >= TRIED || (this.slow > 1 && this.waited > PATIENCE);
    if (tooSlow && this.level < LEVELS.length - 1) {
      this.best = this.level + 1;
      return this.step(1);
    }
    if (this.fast >= SURE && this.level > this.best) return this.step(-1);
    return false;
  }

  private step(by: 1 | -1): boolean {
    this.level += by;
    this.slow = 0;
    this.waited = 0;
    this.fast = 0;
    return true;
  }
}

/** Pixels of the picture for each of the page, where the screen has `screen` of them. */
export function pixels({ ratio }: Quality, screen: number): number {
  return ratio < 1 ? ratio * Math.min(1, screen) : Math.min(ratio, screen);
}

/** Does this renderer draw without graphics hardware? */
export function drawsInSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}
