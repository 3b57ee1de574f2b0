// Signals over time, as the plots need them: fetched for the window in sight, extended while the run
// goes on, fetched again when the window, the signals or the run change.
import type { History } from "../protocol/binary.ts";
import { Refused, type Source } from "../source/source.ts";
import { Cell } from "../state/cell.ts";
import type { Known } from "../state/known.ts";
import type { View } from "../state/view.ts";

/** Per row two points, so that least and greatest values are both on the curve. */
export interface Curves {
  times: number[];
  values: Map<string, (number | null)[]>;
}

export const NO_CURVES: Curves = { times: [], values: new Map() };
const EXTEND_EVERY = 100; // ms
const AGAIN = 200; // ms until signals that were not ready are asked for again
const PATIENCE = 30; // ms without a change before a new window is fetched

export function curvesOf(signals: readonly string[], history: History): Curves {
  const times: number[] = [];
  for (const time of history.times) times.push(time, time);
  return {
    times,
    values: new Map(signals.map((name, k) => [name, zigzag(history.ranges[k]!)])),
  };
}

/** Each pair in the order that continues the curve best. */
function zigzag(pairs: Float32Array): (number | null)[] {
  const values: (number | null)[] = [];
  let last: number | null = null;
  for (let i = 0; i < pairs.length; i += 2) {
    const low = pairs[i]!;
    const high = pairs[i + 1]!;
    if (Number.isNaN(low)) values.push(null, null);
    else if (last !== null && Math.abs(high - last) < Math.abs(low - last)) values.push(high, low);
    else values.push(low, high);
    last = values[values.length - 1] ?? null;
  }
  return values;
}

/** `more` behind `first`, without what `first` already reaches. */
export function joined(first: Curves, more: Curves): Curves {
  const end = first.times[first.times.length - 1] ?? Number.NEGATIVE_INFINITY;
  let skip = 0;
  while (skip < more.times.length && more.times[skip]! <= end) skip++;
  const values = new Map<string, (number | null)[]>();
  for (const [name, known] of first.values) {
    values.set(name, known.concat((more.values.get(name) ?? []).slice(skip)));
  }
  return { times: first.times.concat(more.times.slice(skip)), values };
}

export class Plotted {
  readonly curves = new Cell<Curves>(NO_CURVES);
  readonly ghost = new Cell<Curves>(NO_CURVES);
  private signals: readonly string[] = [];
  private pixels = 600;
  private busy = false;
  private stale = false;
  private timer = 0;
  private end = 0; // how far the curves reach
  private extended = 0; // when they were extended last, ms

  constructor(
    private readonly source: Source,
    private readonly known: Known,
    private readonly view: View,
  ) {
    view.window.on(() => this.refresh());
    view.ghost.on(() => this.refresh());
    known.cutAt.on(() => this.refresh());
    known.ghost.on(() => this.refresh());
    known.frame.on(() => this.extend());
    known.status.on(() => this.extend());
  }

  show(signals: readonly string[], pixels: number): void {
    const same = signals.join("\n") === this.signals.join("\n") && pixels === this.pixels;
    this.signals = signals;
    this.pixels = pixels;
    if (!same) this.refresh();
  }

  private refresh(): void {
    this.stale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.fetch(), PATIENCE) as unknown as number;
  }

  private async fetch(): Promise<void> {
    if (this.busy || !this.stale || !this.known.model.value) return;
    this.stale = false;
    this.busy = true;
    const ghost = this.known.ghost.value && this.view.ghost.value;
    const now = this.known.live;
    const { from, to } = this.view.window.value;
    const [curves, old] = await Promise.all([
      this.ask(from, Math.min(to, now), this.pixels, false),
      ghost ? this.ask(from, to, this.pixels, true) : NO_CURVES,
    ]);
    this.busy = false;
    if (this.stale) return this.fetch();
    this.end = now;
    if (curves) this.curves.set(curves);
    this.ghost.set(old ?? NO_CURVES);
  }

  /** The run went on: fetch the rest, and everything when the pieces have become too many. */
  private extend(): void {
    const { live } = this.known;
    if (this.busy || this.stale || this.signals.length === 0) return;
    if (live <= this.end || this.end > this.view.window.value.to) return;
    const wait = this.extended + EXTEND_EVERY - performance.now();
    if (wait > 0) {
      clearTimeout(this.timer); // so that the end of a run is not left out
      this.timer = setTimeout(() => this.extend(), wait) as unknown as number;
      return;
    }
    this.extended = performance.now();
    if (this.curves.value.times.length > 8 * this.pixels) this.refresh();
    else void this.append(this.end, live);
  }

  private async append(from: number, to: number): Promise<void> {
    this.busy = true;
    const { window } = this.view;
    const share = (to - from) / (window.value.to - window.value.from);
    const more = await this.ask(from, to, Math.max(2, Math.ceil(share * this.pixels)), false);
    this.busy = false;
    if (this.stale) return this.fetch();
    if (!more) return;
    this.end = to;
    this.curves.set(joined(this.curves.value, more));
  }

  private async ask(
    from: number,
    to: number,
    pixels: number,
    ghost: boolean,
  ): Promise<Curves | null> {
    const { signals } = this;
    if (signals.length === 0) return NO_CURVES;
    try {
      const asked = { do: "history" as const, signals, from, to, pixels };
      const history = await this.source.history(ghost ? { ...asked, ghost } : asked);
      if (history.partial) setTimeout(() => this.refresh(), AGAIN);
      return curvesOf(signals, history);
    } catch (error) {
      if (error instanceof Refused) return null; // the next frame asks again
      throw error;
    }
  }
}
