// The replay source: plays a recorded run, and answers what a server would, as far as a record can.
import type { History } from "../protocol/binary.ts";
import type {
  Answer,
  Asked,
  Enabled,
  Happening,
  HistoryAsked,
  Model,
  Said,
  Span,
  Status,
} from "../protocol/messages.ts";
import { csvOf, decodeRecording, frameAt, historyOf, type Recording } from "./recording.ts";
import { rowAt } from "./sorted.ts";
import { type Listener, refusal, type Source } from "./source.ts";

const STATUS_EVERY = 0.1; // s of real time, while playing
const SAME = 1e-9; // s: events closer than this are one instant

type Contacts = Extract<Said, { say: "contacts" }>;

/** Time as it passes, in s, and a way to be called again at the next picture. */
export interface Clock {
  now(): number;
  later(then: () => void): void;
}

export const CLOCK: Clock = {
  now: () => performance.now() / 1000,
  later: (then) => requestAnimationFrame(then),
};

export class Replay implements Source {
  readonly live = false;
  private listener: Listener | null = null;
  private readonly model: Model;
  private readonly recording: Recording;
  private readonly events: readonly Happening[];
  private readonly contacts: readonly Contacts[];
  private readonly end: Status | undefined;
  private chosen: number[] = [];
  private time = 0;
  private speed = 1;
  private playing = false;
  private last = 0; // when the clock was last looked at
  private said = 0; // when the status was last said
  private loop: Span | null = null;
  private showing = false;

  constructor(
    private readonly messages: readonly Said[],
    private readonly clock: Clock = CLOCK,
  ) {
    const model = messages.find((message) => message.say === "model");
    if (!model) throw new Error("the recording has no model");
    this.model = { ...model, editable: false };
    const frames = messages.filter((message) => message.say === "frames");
    const moving = model.bodies.filter((body) => !body.fixed).length;
    this.recording = decodeRecording(frames, moving);
    this.events = messages.flatMap((message) => (message.say === "events" ? message.events : []));
    this.contacts = messages.filter((message) => message.say === "contacts");
    this.end = messages.findLast((message) => message.say === "status");
    this.time = this.recording.times[0]!;
  }

  start(listener: Listener): void {
    this.listener = listener;
    listener.linked(true);
    listener.said({ say: "model", ...this.model });
    for (const message of this.messages) {
      if (message.say === "events" || message.say === "lanes") listener.said(message);
    }
    this.show();
  }

  async ask(request: Asked): Promise<Answer> {
    const answer = this.answer(request);
    if (answer === null) throw refusal("a recorded run can only be watched");
    return { re: 0, ok: true, ...answer };
  }

  async history(asked: HistoryAsked): Promise<History> {
    const chosen = asked.signals.map((name) => this.recording.signals.indexOf(name));
    const history = historyOf(this.recording, chosen, asked.from, asked.to, asked.pixels);
    return { id: 0, ghost: false, partial: false, ...history };
  }

  private answer(request: Asked): Partial<Answer> | null {
    switch (request.do) {
      case "play":
        this.play();
        break;
      case "pause":
        this.pause();
        break;
      case "restart":
        this.pause();
        this.go(this.first);
        if (request.play) this.play();
        break;
      case "seek":
        this.pause();
        this.go(request.time);
        break;
      case "ticks":
        this.pause();
        this.go(this.time + request.n * (this.model.tick ?? 0.02));
        break;
      case "events":
        this.pause();
        this.go(this.eventTime(request.n));
        break;
      case "speed":
        this.speed = request.factor;
        this.say();
        break;
      case "loop":
        this.loop = request.from === undefined ? null : { from: request.from, to: request.to! };
        this.say();
        break;
      case "subscribe":
        this.chosen = request.signals.map((name) => this.recording.signals.indexOf(name));
        setTimeout(() => this.show()); // after the answer, as a server would
        break;
      case "show":
        this.showing = request.contacts;
        this.show();
        break;
      case "share":
        return request.what === "csv" ? this.csv(request.signals ?? []) : null;
      case "find":
        return { signals: this.found(request.text, request.limit) };
      default:
        return null;
    }
    return {};
  }

  private get first(): number {
    return this.recording.times[0]!;
  }

  private get final(): number {
    return this.recording.times[this.recording.times.length - 1]!;
  }

  private found(text: string, limit: number): readonly { name: string }[] {
    const { signals } = this.model;
    return signals.filter(({ name }) => name.includes(text)).slice(0, limit);
  }

  private csv(names: readonly string[]): Partial<Answer> {
    const columns = names.map((name) => this.recording.signals.indexOf(name));
    const text = csvOf(this.recording, names, columns);
    return { text, name: `${this.model.name}.csv` };
  }

  private play(): void {
    if (this.time >= this.final) this.time = this.first;
    if (this.playing) return;
    this.playing = true;
    this.last = this.clock.now();
    this.say();
    this.clock.later(() => this.beat());
  }

  private pause(): void {
    this.playing = false;
    this.say();
  }

  private go(time: number): void {
    this.time = Math.min(Math.max(time, this.first), this.final);
    this.show();
  }

  /** One picture while playing. */
  private beat(): void {
    if (!this.playing) return;
    const now = this.clock.now();
    let time = this.time + (now - this.last) * this.speed;
    this.last = now;
    if (this.loop && time >= this.loop.to) time = this.loop.from;
    if (time >= this.final) this.playing = false;
    this.time = Math.min(time, this.final);
    this.listener?.frame(this.frame());
    this.contact();
    if (!this.playing || now - this.said >= STATUS_EVERY) this.say();
    if (this.playing) this.clock.later(() => this.beat());
  }

  /** The time of the n-th event from here; events of one instant count once. */
  private eventTime(n: number): number {
    let time = this.time;
    for (let i = 0; i < Math.abs(n); i++) {
      const next =
        n > 0
          ? this.events.find((event) => event.time > time + SAME)
          : this.events.findLast((event) => event.time < time - SAME);
      if (!next) return n > 0 ? this.final : this.first;
      time = next.time;
    }
    return time;
  }

  private frame() {
    return frameAt(this.recording, this.time, this.chosen);
  }

  private show(): void {
    this.listener?.frame(this.frame());
    this.contact();
    this.say();
  }

  private contact(): void {
    if (!this.showing || this.contacts.length === 0) return;
    const times = this.contacts.map((message) => message.time);
    this.listener?.said(this.contacts[rowAt(times, this.time)]!);
  }

  private say(): void {
    this.said = this.clock.now();
    this.listener?.said({ say: "status", ...this.status() });
    this.listener?.said({ say: "enabled", ...this.ahead() });
  }

  private status(): Status {
    const over = this.time >= this.final;
    return {
      state: over ? "ended" : this.playing ? "past" : "paused",
      time: this.time,
      live: this.final,
      playing: this.playing,
      speed: { target: this.speed, achieved: this.playing ? this.speed : null, overruns: 0 },
      loop: this.loop,
      why: over ? this.end?.why : undefined,
      link: over ? this.end?.link : undefined,
    };
  }

  /** What the record says will happen next, in each component. */
  private ahead(): Enabled {
    const ahead = new Map<string, Enabled["ahead"][number]>();
    for (const event of this.events) {
      if (event.time <= this.time + SAME) continue;
      for (const { component, edge } of event.edges ?? []) {
        if (!ahead.has(component)) ahead.set(component, { component, edge, at: event.time });
      }
    }
    return { time: this.time, edges: [], ahead: [...ahead.values()] };
  }
}

/** The messages of a replay file: base64 of gzipped JSON. */
export async function unpack(text: string): Promise<Said[]> {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as Said[];
}
