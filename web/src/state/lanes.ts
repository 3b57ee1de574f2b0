// Who was in which mode or location, and when.
import type { Change, Shaded } from "../protocol/messages.ts";
import { rowAt } from "../source/sorted.ts";

/** The modes of a contact; everything else in a lane is a location of an automaton. */
export const OPEN = "open";
const CONTACT_MODES: ReadonlySet<string> = new Set([OPEN, "stick", "trans", "slip"]);

export function isContactMode(value: string): boolean {
  return CONTACT_MODES.has(value);
}

export interface Lane {
  name: string;
  times: number[]; // ascending
  values: string[];
  shaded: Shaded[];
}

export class Lanes {
  private readonly byName = new Map<string, Lane>();

  get all(): IterableIterator<Lane> {
    return this.byName.values();
  }

  get(name: string): Lane | undefined {
    return this.byName.get(name);
  }

  add(changes: readonly Change[], shaded: readonly Shaded[]): void {
    for (const { lane, time, value } of changes) {
      const { times, values } = this.lane(lane);
      const same = times.length > 0 && times[times.length - 1] === time;
      if (same) values[values.length - 1] = value;
      else {
        times.push(time);
        values.push(value);
      }
    }
    for (const part of shaded) this.lane(part.lane).shaded.push(part);
  }

  /** Forget what is later than `at`. */
  cut(at: number): void {
    for (const lane of this.byName.values()) {
      const keep = lane.times.findLastIndex((time) => time <= at) + 1;
      lane.times.length = keep;
      lane.values.length = keep;
      lane.shaded = lane.shaded
        .filter((part) => part.from <= at)
        .map((part) => ({ ...part, to: Math.min(part.to, at) }));
      if (keep === 0) this.byName.delete(lane.name);
    }
  }

  /** Forget changes before `at`, but not what holds there. */
  forget(at: number): void {
    for (const lane of this.byName.values()) {
      const first = Math.max(
        0,
        lane.times.findLastIndex((time) => time <= at),
      );
      lane.times.splice(0, first);
      lane.values.splice(0, first);
      lane.shaded = lane.shaded.filter((part) => part.to >= at);
    }
  }

  valueAt(name: string, time: number): string | undefined {
    const lane = this.byName.get(name);
    return lane && valueAt(lane, time);
  }

  private lane(name: string): Lane {
    let lane = this.byName.get(name);
    if (!lane) {
      lane = { name, times: [], values: [], shaded: [] };
      this.byName.set(name, lane);
    }
    return lane;
  }
}

export function valueAt(lane: Lane, time: number): string | undefined {
  if (lane.times.length === 0 || time < lane.times[0]!) return undefined;
  return lane.values[rowAt(lane.times, time)];
}
