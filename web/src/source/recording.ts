// A recorded run as numbers: where everything is at any time, and how signals went.
import { type Frame, type History, PER_BODY } from "../protocol/binary.ts";
import type { RecordedFrames } from "../protocol/messages.ts";
import { rowAt } from "./sorted.ts";

export interface Recording {
  times: Float64Array; // ascending; both sides of a jump have the same time
  moving: number;
  bodies: Float32Array; // row by row, 7 numbers for each moving body
  signals: readonly string[];
  values: Float32Array; // row by row
}

export function decodeRecording(parts: readonly RecordedFrames[], moving: number): Recording {
  const signals = parts[0]?.signals ?? [];
  const recording = {
    times: new Float64Array(joined(parts.map((part) => part.times))),
    moving,
    bodies: new Float32Array(joined(parts.map((part) => part.bodies))),
    signals,
    values: new Float32Array(joined(parts.map((part) => part.values))),
  };
  const rows = recording.times.length;
  if (rows === 0) throw new Error("the recording has no frames");
  const bodies = rows * moving * PER_BODY;
  const values = rows * signals.length;
  if (recording.bodies.length !== bodies || recording.values.length !== values) {
    throw new Error("the recording's arrays do not fit its number of frames");
  }
  return recording;
}

function joined(parts: readonly string[]): ArrayBuffer {
  const bytes = parts.map((part) => Uint8Array.from(atob(part), (c) => c.charCodeAt(0)));
  const whole = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}

/** The instant `time`: interpolated between rows, after the jump where there is one. */
export function frameAt(recording: Recording, time: number, chosen: readonly number[]): Frame {
  const { times, moving } = recording;
  const row = rowAt(times, time);
  const next = Math.min(row + 1, times.length - 1);
  const width = times[next]! - times[row]!;
  const share = width > 0 ? Math.min(Math.max((time - times[row]!) / width, 0), 1) : 0;
  const bodies = new Float32Array(moving * PER_BODY);
  for (let body = 0; body < moving; body++) place(recording, row, next, share, body, bodies);
  const { values, signals } = recording;
  const at = (r: number, k: number) => (k < 0 ? Number.NaN : values[r * signals.length + k]!);
  return {
    sequence: 0,
    time,
    past: true,
    bodies,
    values: Float32Array.from(chosen, (k) => mixed(at(row, k), at(next, k), share)),
  };
}

function mixed(a: number, b: number, share: number): number {
  return share === 0 ? a : a + share * (b - a);
}

/** Position along a line; orientation by the normalised mean, fit for the small angle of a row. */
function place(
  recording: Recording,
  row: number,
  next: number,
  share: number,
  body: number,
  out: Float32Array,
): void {
  const { bodies, moving } = recording;
  const a = (row * moving + body) * PER_BODY;
  const b = (next * moving + body) * PER_BODY;
  const o = body * PER_BODY;
  for (let i = 0; i < 3; i++) out[o + i] = mixed(bodies[a + i]!, bodies[b + i]!, share);
  let dot = 0;
  for (let i = 3; i < PER_BODY; i++) dot += bodies[a + i]! * bodies[b + i]!;
  const side = dot < 0 ? -1 : 1; // q and -q are the same orientation
  let norm = 0;
  for (let i = 3; i < PER_BODY; i++) {
    out[o + i] = mixed(bodies[a + i]!, side * bodies[b + i]!, share);
    norm += out[o + i]! ** 2;
  }
  for (let i = 3; i < PER_BODY; i++) out[o + i] = out[o + i]! / Math.sqrt(norm);
}

/** Rows of [from, to] and one on each side; where there are too many, least and greatest per pixel. */
export function historyOf(
  recording: Recording,
  chosen: readonly number[],
  from: number,
  to: number,
  pixels: number,
): Pick<History, "times" | "ranges"> {
  const { times } = recording;
  const first = rowAt(times, from);
  const last = Math.min(rowAt(times, to) + 1, times.length - 1);
  const starts = buckets(times, first, last, pixels);
  const ends = [...starts.slice(1), last + 1];
  return {
    times: Float64Array.from(starts, (start, i) => (times[start]! + times[ends[i]! - 1]!) / 2),
    ranges: chosen.map((k) => extremes(recording, k, starts, ends)),
  };
}

/** The first row of each bucket: every row where there are few, else one bucket for each pixel. */
function buckets(times: Float64Array, first: number, last: number, pixels: number): number[] {
  if (last - first < 2 * pixels) {
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }
  const width = (times[last]! - times[first]!) / pixels;
  const starts: number[] = [];
  let bucket = -1;
  for (let row = first; row <= last; row++) {
    const here = Math.min(Math.floor((times[row]! - times[first]!) / width), pixels - 1);
    if (here !== bucket) starts.push(row);
    bucket = here;
  }
  return starts;
}

function extremes(
  recording: Recording,
  signal: number,
  starts: readonly number[],
  ends: readonly number[],
): Float32Array {
  const pairs = new Float32Array(2 * starts.length).fill(Number.NaN);
  if (signal < 0) return pairs;
  const { values, signals } = recording;
  for (const [i, start] of starts.entries()) {
    let low = Number.NaN;
    let high = Number.NaN;
    for (let row = start; row < ends[i]!; row++) {
      const value = values[row * signals.length + signal]!;
      if (Number.isNaN(value)) continue; // not defined here
      if (!(value >= low)) low = value;
      if (!(value <= high)) high = value;
    }
    pairs[2 * i] = low;
    pairs[2 * i + 1] = high;
  }
  return pairs;
}

/** All rows as a table: time first, then the chosen signals; nothing where a number is not defined. */
export function csvOf(
  { times, values, signals }: Recording,
  names: readonly string[],
  chosen: readonly number[],
): string {
  const quoted = names.map((name) => (name.includes(",") ? `"${name}"` : name));
  const lines = [["t", ...quoted].join(",")];
  for (const [row, time] of times.entries()) {
    const cells = chosen.map((k) => (k < 0 ? Number.NaN : values[row * signals.length + k]!));
    lines.push([time, ...cells.map((x) => (Number.isNaN(x) ? "" : x))].join(","));
  }
  return `${lines.join("\n")}\n`;
}
