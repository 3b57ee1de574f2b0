// Looking things up that are sorted by time.

/** The last of `count` things that is at or before `time`; -1 if none is. */
export function lastUpTo(count: number, timeOf: (i: number) => number, time: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(middle) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last row at or before `time`, or the first of all. */
export function rowAt(times: ArrayLike<number>, time: number): number {
  return Math.max(
    0,
    lastUpTo(times.length, (i) => times[i]!, time),
  );
}
