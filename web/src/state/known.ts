// Everything that the page knows of the run: the messages heard so far, put in order.
import type { Frame } from "../protocol/binary.ts";
import type {
  ContactPoint,
  Enabled,
  Happening,
  Model,
  ParameterMap,
  ProvedBoxes,
  Said,
  Status,
  Verdict,
} from "../protocol/messages.ts";
import type { Listener } from "../source/source.ts";
import { Cell } from "./cell.ts";
import { Lanes } from "./lanes.ts";

const NOTHING: Status = {
  state: "working",
  time: 0,
  live: 0,
  playing: false,
  speed: { target: 1, achieved: null, overruns: 0 },
};

export const MOST = 20_000; // events, at most twice as many

export interface Progress {
  re: number;
  done: number;
  total: number | null;
  text: string;
}

export class Known {
  readonly model = new Cell<Model | null>(null);
  readonly status = new Cell<Status>(NOTHING);
  readonly frame = new Cell<Frame | null>(null);
  readonly events = new Cell<Happening[]>([]);
  /** Events before this instant are forgotten, s. */
  readonly since = new Cell(0);
  readonly lanes = new Cell(new Lanes());
  readonly enabled = new Cell<Enabled | null>(null);
  readonly contacts = new Cell<readonly ContactPoint[]>([]);
  readonly ghost = new Cell(false);
  readonly link = new Cell(false);
  readonly progress = new Cell<Progress | null>(null);
  readonly verdict = new Cell<Verdict | null>(null);
  readonly map = new Cell<ParameterMap | null>(null);
  readonly boxes = new Cell<ProvedBoxes | null>(null);
  readonly note = new Cell<string>("");
  /** Where the run was cut last: histories later than this are out of date. */
  readonly cutAt = new Cell<{ at: number }>({ at: -1 });
  /** The instant that everything shows. */
  readonly time = new Cell(0);
  /** Where a hand holds the cursor, until the frame from there arrives. */
  private held: number | null = null;

  /** How far the run is known. */
  get live(): number {
    const frame = this.frame.value;
    const shown = frame && !frame.past ? frame.time : 0;
    return Math.max(this.status.value.live, shown);
  }

  /** What a source tells all this to. */
  listener(): Listener {
    return {
      said: (message) => this.said(message),
      frame: (frame) => this.show(frame),
      linked: (up) => this.link.set(up),
    };
  }

  /** Show `time` at once, and go on showing it whatever frames say, until `release`. */
  hold(time: number): void {
    this.held = time;
    this.time.set(time);
  }

  /** Go with the frames again: with the last one if it is `there` already, else with the next. */
  release(there: boolean): void {
    this.held = null;
    if (there && this.frame.value) this.time.set(this.frame.value.time);
  }

  private show(frame: Frame): void {
    this.frame.set(frame);
    if (this.held === null) this.time.set(frame.time);
  }

  /** A new model, or everything again after a broken link. */
  private open(model: Model): void {
    this.forget(-1);
    this.frame.set(null);
    this.enabled.set(null);
    this.contacts.set([]);
    this.held = null;
    this.time.set(0);
    this.model.set(model);
  }

  private forget(at: number): void {
    this.events.value.splice(this.events.value.findLastIndex((event) => event.time <= at) + 1);
    this.lanes.value.cut(at);
    this.events.tell();
    this.lanes.tell();
    this.cutAt.set({ at });
  }

  /** What is judged later than it happened goes where it belongs: events are in the order of time. */
  private add(found: readonly Happening[]): void {
    const events = this.events.value;
    const last = events[events.length - 1]?.time ?? Number.NEGATIVE_INFINITY;
    for (const event of found) events.push(event); // perhaps very many
    if (found.every(({ time }) => time >= last)) return;
    events.sort((a, b) => a.time - b.time);
    this.cutAt.set({ at: this.live }); // who has read them reads them again
  }

  /** A run may go on for hours: its oldest events and changes are forgotten, as the server does. */
  private bound(): void {
    const events = this.events.value;
    if (events.length <= 2 * MOST) return;
    events.splice(0, events.length - MOST);
    this.since.set(events[0]!.time);
    this.lanes.value.forget(events[0]!.time);
    this.cutAt.set({ at: this.live }); // who has read them reads them again
  }

  private said(message: Said): void {
    switch (message.say) {
      case "model":
        this.open(message);
        break;
      case "status":
        this.status.set({ ...NOTHING, ...message }); // without a model there is little to say
        break;
      case "events":
        if (message.since !== undefined) this.since.set(message.since);
        this.add(message.events);
        this.bound();
        this.events.tell();
        break;
      case "lanes":
        this.lanes.value.add(message.changes, message.shaded ?? []);
        this.lanes.tell();
        break;
      case "cut":
        this.forget(message.at);
        this.ghost.set(message.ghost);
        break;
      case "enabled":
        this.enabled.set(message);
        break;
      case "contacts":
        this.contacts.set(message.points);
        break;
      case "progress":
        this.progress.set(message);
        break;
      case "verdict":
        this.verdict.set(message);
        break;
      case "map":
        this.map.set(message);
        break;
      case "boxes":
        this.boxes.set(message);
        break;
      case "note":
        this.note.set(message.text);
        break;
      case "frames":
        break; // only in files: a replay source takes them apart
    }
  }
}
