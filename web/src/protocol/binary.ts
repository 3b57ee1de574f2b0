// The binary half of the protocol, little endian: frames (kind 1) and histories (kind 2).

/** One instant: where the moving bodies are, and the values of the subscribed signals. */
export interface Frame {
  sequence: number;
  time: number;
  past: boolean;
  bodies: Float32Array; // 7 for each moving body: x y z, then the quaternion w x y z
  values: Float32Array;
}

/** Signals over time, decimated: per row and signal the least and the greatest value near it. */
export interface History {
  id: number;
  ghost: boolean;
  partial: boolean; // some signals are still being computed: NaN now, to be asked for again
  times: Float64Array;
  ranges: Float32Array[]; // one for each signal: min, max, min, max, …
}

export type Numbers = { kind: "frame"; frame: Frame } | { kind: "history"; history: History };

const FRAME = 1;
const HISTORY = 2;
const FRAME_HEAD = 16;
const HISTORY_HEAD = 12;
export const PER_BODY = 7;

export function decode(buffer: ArrayBuffer): Numbers {
  const view = new DataView(buffer);
  const kind = buffer.byteLength > 0 ? view.getUint8(0) : 0;
  if (kind === FRAME) return { kind: "frame", frame: decodeFrame(view) };
  if (kind === HISTORY) return { kind: "history", history: decodeHistory(view) };
  throw new Error(`a binary message of unknown kind ${kind}, ${buffer.byteLength} bytes long`);
}

function decodeFrame(view: DataView): Frame {
  need(view, FRAME_HEAD, "frame");
  const count = view.getUint16(2, true);
  const numbers = (view.byteLength - FRAME_HEAD) / 4;
  const inBodies = numbers - count;
  if (inBodies < 0 || inBodies % PER_BODY !== 0) {
    throw new Error(`a frame of ${numbers} numbers cannot have ${count} signals and whole bodies`);
  }
  return {
    past: (view.getUint8(1) & 1) !== 0,
    sequence: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    bodies: floats(view, FRAME_HEAD, inBodies),
    values: floats(view, FRAME_HEAD + 4 * inBodies, count),
  };
}

function decodeHistory(view: DataView): History {
  need(view, HISTORY_HEAD, "history");
  const count = view.getUint16(2, true);
  const rows = view.getUint32(8, true);
  need(view, HISTORY_HEAD + rows * (8 + 8 * count), "history");
  const times = new Float64Array(rows);
  for (let i = 0; i < rows; i++) times[i] = view.getFloat64(HISTORY_HEAD + 8 * i, true);
  const start = HISTORY_HEAD + 8 * rows;
  const ranges = Array.from({ length: count }, (_, k) =>
    floats(view, start + 8 * rows * k, 2 * rows),
  );
  return {
    ghost: (view.getUint8(1) & 1) !== 0,
    partial: (view.getUint8(1) & 2) !== 0,
    id: view.getUint32(4, true),
    times,
    ranges,
  };
}

function need(view: DataView, bytes: number, what: string): void {
  if (view.byteLength < bytes) {
    throw new Error(`a ${what} of ${view.byteLength} bytes is cut off; it needs ${bytes}`);
  }
}

/** A copy: the message's buffer may start at any byte, and its order may not be the machine's. */
function floats(view: DataView, offset: number, count: number): Float32Array {
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = view.getFloat32(offset + 4 * i, true);
  return numbers;
}
