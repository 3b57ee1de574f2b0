// What hands can do: every command of the page goes through here, from buttons and keys alike.
import type { Answer, Asked, Problem, Vector } from "../protocol/messages.ts";
import { Refused, type Source } from "../source/source.ts";
import { Cell } from "./cell.ts";
import type { Known } from "./known.ts";
import { Latest } from "./latest.ts";

export const SPEEDS = { least: 0.01, most: 100 };
const STEP = 10 ** (1 / 6); // six steps of the speed for each power of ten

export class Control {
  /** The last sentence that a command ended with, for the page to show. */
  readonly notice = new Cell<string>("");
  /** What the page waits for, if it waits. */
  readonly waiting = new Cell<string | null>(null);
  private wanted: number | null = null; // speed
  private readonly sought = new Latest<number>(
    (time) => this.send({ do: "seek", time }),
    () => this.known.release(!this.source.live), // a server answers first, and shows it then
  );

  constructor(
    readonly source: Source,
    private readonly known: Known,
  ) {}

  toggle(): void {
    this.tell({ do: this.known.status.value.playing ? "pause" : "play" });
  }

  pause(): void {
    this.tell({ do: "pause" });
  }

  /** From the start, and go. */
  restart(): void {
    this.tell({ do: "restart", play: true });
  }

  events(n: number): void {
    this.tell({ do: "events", n });
  }

  ticks(n: number): void {
    this.tell({ do: "ticks", n });
  }

  speed(factor: number): void {
    const clipped = Math.min(Math.max(factor, SPEEDS.least), SPEEDS.most);
    this.wanted = Number(clipped.toPrecision(3));
    void this.send({ do: "speed", factor: this.wanted }).then(() => {
      this.wanted = null;
    });
  }

  /** So many steps from the speed asked for last, even if its answer is still on the way. */
  faster(steps: number): void {
    const now = this.wanted ?? this.known.status.value.speed.target;
    this.speed(STEP ** (Math.round(Math.log(now) / Math.log(STEP)) + steps));
  }

  loop(from?: number, to?: number): void {
    this.tell(from === undefined ? { do: "loop" } : { do: "loop", from, to });
  }

  /** Show another time: at once on the cursor; the last time asked for wins, the rest is skipped. */
  seek(time: number): void {
    const clipped = Math.min(Math.max(time, 0), this.known.live);
    this.known.hold(clipped);
    this.sought.give(clipped);
  }

  set(values: Record<string, number>, at?: number): void {
    this.tell(at === undefined ? { do: "set", values } : { do: "set", values, at });
  }

  first(): void {
    this.tell({ do: "first" });
  }

  signal(channel: string): void {
    this.tell({ do: "signal", channel });
  }

  take(component: string, edge: string | number): void {
    this.tell({ do: "take", component, edge });
  }

  drag(body: string, position: Vector): void {
    this.tell({ do: "drag", body, position });
  }

  /** Replace the model; what is wrong with the new one keeps the old one. */
  async open(what: { example?: string; text?: string; witness?: string | number }) {
    this.waiting.set(`opening ${what.example ?? (what.text ? "the text" : "the witness")} …`);
    try {
      return await this.problems({ do: "open", ...what });
    } finally {
      this.waiting.set(null);
    }
  }

  /** The problems that a request met, none if it was granted. */
  async problems(request: Asked): Promise<readonly Problem[]> {
    try {
      await this.source.ask(request);
      return [];
    } catch (error) {
      if (error instanceof Refused) return error.problems;
      throw error;
    }
  }

  /** Ask, and show a refusal as a notice; `null` is its answer. */
  async send(request: Asked): Promise<Answer | null> {
    try {
      return await this.source.ask(request);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.notice.set("");
      this.notice.set(error.message);
      return null;
    }
  }

  private tell(request: Asked): void {
    void this.send(request);
  }
}
