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
];

/** Where a browser without graphics hardware begins. */
export const SOFTWARE = 2;

const SLOW = 80; // ms between pictures: fewer than 13 a second
const FAST = 24; // ms: more than 40
const TRIED = 12; // pictures before a step down
const SURE = 240; // pictures before a step up

export class Pace {
  private last: number | null = null;
  private slow = 0;
  private fast = 0;
  private best = 0; // a level that was too slow once is not tried again

  constructor(public level = 0) {}

  get quality(): Quality {
    return LEVELS[this.level]!;
  }

  /** A picture was drawn at `now` (ms); true if the level changed. */
  drawn(now: number): boolean {
    const gap = this.last === null ? 0 : now - this.last;
    this.last = now;
    if (gap <= 0 || gap > 1000) return false; // nothing moved in between
    this.slow = gap > SLOW ? this.slow + 1 : Math.max(0, this.slow - 1);
    this.fast = gap < FAST ? this.fast + 1 : 0;
    if (this.slow >= TRIED && this.level < LEVELS.length - 1) {
      this.best = this.level + 1;
      return this.step(1);
    }
    if (this.fast >= SURE && this.level > this.best) return this.step(-1);
    return false;
  }

  private step(by: 1 | -1): boolean {
    this.level += by;
    this.slow = 0;
    this.fast = 0;
    this.last = null;
    return true;
  }
}

/** Does this renderer draw without graphics hardware? */
export function drawsInSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}
