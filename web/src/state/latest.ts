// Hands are faster than answers: one request at a time, what comes meanwhile replaces what waits, and
// the last value always arrives.

export class Latest<T> {
  private next: { value: T } | null = null;
  private busy = false;

  /** `done` hears when nothing waits any more. */
  constructor(
    private readonly send: (value: T) => Promise<unknown>,
    private readonly done: () => void = () => {},
  ) {}

  give(value: T): void {
    this.next = { value };
    if (!this.busy) void this.go();
  }

  private async go(): Promise<void> {
    this.busy = true;
    while (this.next !== null) {
      const { value } = this.next;
      this.next = null;
      await this.send(value);
    }
    this.busy = false;
    this.done();
  }
}
