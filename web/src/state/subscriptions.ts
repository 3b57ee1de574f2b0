// Which signals frames carry: the union of what the views want, asked for when it changes.
import type { Source } from "../source/source.ts";
import type { Known } from "./known.ts";

export class Subscriptions {
  private readonly wants = new Map<string, readonly string[]>();
  private asked: readonly string[] = [];
  private order = new Map<string, number>(); // of the frames that arrive now
  private values: Float32Array = new Float32Array(0);
  private pending = false;

  constructor(
    private readonly source: Source,
    private readonly known: Known,
  ) {
    known.frame.on((frame) => {
      if (frame?.values.length === this.order.size) this.values = frame.values;
    });
    known.model.on(() => this.again());
  }

  /** What the view called `who` wants from now on. */
  want(who: string, signals: readonly string[]): void {
    this.wants.set(who, signals);
    this.later();
  }

  /** The value of a signal at the shown instant; NaN where it is not known. */
  value(signal: string): number {
    const index = this.order.get(signal);
    return index === undefined ? Number.NaN : (this.values[index] ?? Number.NaN);
  }

  /** A new model has frames of its own. */
  private again(): void {
    this.asked = [];
    this.order = new Map();
    this.values = new Float32Array(0);
    this.later();
  }

  /** One request for all views that speak up in one turn. */
  private later(): void {
    if (this.pending) return;
    this.pending = true;
    queueMicrotask(() => {
      this.pending = false;
      void this.ask();
    });
  }

  private async ask(): Promise<void> {
    if (!this.known.model.value) return;
    const union = [...new Set([...this.wants.values()].flat())];
    if (union.join("\n") === this.asked.join("\n")) return;
    this.asked = union;
    try {
      await this.source.ask({ do: "subscribe", signals: union });
    } catch {
      this.asked = []; // the link broke; the model comes again, and with it the next attempt
      return;
    }
    if (this.asked === union) this.order = new Map(union.map((name, i) => [name, i]));
  }
}
