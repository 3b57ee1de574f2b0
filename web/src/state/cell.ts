// A value that tells who listens when it changes.

export class Cell<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    this.tell();
  }

  /** Tell that the value was changed in place. One who fails does not keep the others from it. */
  tell(): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(this.current);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Listen from now on; what comes back ends it. */
  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Listen, and hear the present value at once. */
  see(listener: (value: T) => void): () => void {
    listener(this.current);
    return this.on(listener);
  }
}

/** What listens to several values, and stops listening to all of them at once. */
export class Ear {
  private readonly ends: (() => void)[] = [];

  on<T>(cell: Cell<T>, listener: (value: T) => void): void {
    this.ends.push(cell.on(listener));
  }

  see<T>(cell: Cell<T>, listener: (value: T) => void): void {
    this.ends.push(cell.see(listener));
  }

  close(): void {
    for (const end of this.ends.splice(0)) end();
  }
}

/** Call `then` whenever one of several values changes. */
export function onAny(
  cells: readonly { on(listener: () => void): unknown }[],
  then: () => void,
): void {
  for (const cell of cells) cell.on(then);
}

/** Call `draw` at the next picture, however often it is asked for until then. */
export function painter(draw: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/** Call `draw` at once, but not again within `gap` ms: then once more when they have passed. What many
 * elements are made for is read by people, not watched. */
export function spaced(draw: () => void, gap: number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const now = () => {
    timer = null;
    last = performance.now();
    draw();
  };
  return () => {
    const wait = last + gap - performance.now();
    if (wait <= 0 && timer === null) now();
    else timer ??= setTimeout(now, wait);
  };
}
