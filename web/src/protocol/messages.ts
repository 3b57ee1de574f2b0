// What server and page say to each other, version 1: the JSON half (binary.ts has the numbers).
// A replay file holds the same messages. Fields that are not listed here are ignored.

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number]; // w x y z

/** A mistake in a model's text; line and column count from one. */
export interface Problem {
  line: number;
  column: number;
  length: number;
  message: string;
}

/** A number, or the name of a signal that has its value. */
export type Bound = number | string;
export type BoundVector = readonly [Bound, Bound, Bound];

export type Shape =
  | { kind: "sphere"; radius: number }
  | { kind: "point" }
  | { kind: "part"; parts: readonly Part[] } // several, in the body's axes
  | { kind: "plane"; normal: Vector }
  | { kind: "box"; size: Vector }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "disc"; radius: number; rounding: number } // all points so near to a flat disc
  | { kind: "ellipsoid"; axes: Vector } // half of each
  | { kind: "mesh"; vertices: readonly Vector[]; faces: readonly Vector[] };

export interface Part {
  shape: Shape;
  at: Vector;
  turn?: Quaternion;
}

export interface Body {
  name: string;
  shape: Shape;
  fixed: boolean;
  position: Vector;
  orientation?: Quaternion; // at the start
}

export interface Spring {
  name?: string;
  from: string | Vector;
  to: string | Vector;
}

/** What keeps two bodies together, or a body and the world. */
export interface Joint {
  name: string;
  kind: "revolute" | "prismatic" | "spherical" | "weld" | "distance" | "rope";
  ends: readonly [Side, Side];
  axis: Vector; // in the axes of the first side
  length: number; // m: of a rope or distance; or the coordinate where both sides meet
  limits: readonly [number, number] | null;
}

interface Side {
  body: string | null; // null: the world
  at: Vector; // m, in the axes of the body
}

interface Drawn {
  show?: Bound;
  colour?: string;
  glow?: Bound;
}

export type Drawing = Drawn &
  (
    | { kind: "line"; from: BoundVector; to: BoundVector; width: Bound }
    | { kind: "circle"; at: BoundVector; radius: Bound }
    | { kind: "box"; at: BoundVector; size: BoundVector; turn?: Bound }
    | {
        kind: "text";
        at: BoundVector;
        text: string;
        value?: Bound;
        digits?: number;
        unit?: string;
      }
    | {
        kind: "gauge";
        at: BoundVector;
        label: string;
        value: Bound;
        limits: readonly [number, number];
        unit?: string;
      }
  );

export interface Location {
  name: string;
  urgent?: boolean;
  committed?: boolean;
  invariant?: string;
  where?: string; // what long names in it stand for
  rates?: readonly string[];
}

export interface Edge {
  id: string | number;
  source: string;
  target: string;
  guard?: string;
  where?: string; // what long names in it stand for
  action?: string;
  sync?: string;
  reset?: string;
}

export interface Automaton {
  name: string;
  kind: "automaton";
  initial?: string;
  locations: readonly Location[];
  edges: readonly Edge[];
}

export interface Contact {
  name: string;
  a: string;
  b: string;
}

export interface Bodies {
  name: string;
  kind: "bodies";
  contacts: readonly Contact[];
}

export type Component = Automaton | Bodies;

/** Something that a slider can change. */
export interface Knob {
  name: string;
  value: number;
  limits: readonly [number, number] | null;
  unit?: string;
  about?: string;
}

export interface Signal {
  name: string;
  unit?: string;
}

export interface Property {
  name: string;
  text: string;
  until?: number | null;
  violated?: number | null;
}

export interface Model {
  id: number;
  name: string;
  title: string;
  text: string;
  editable: boolean;
  example?: string | null;
  can_save?: boolean;
  solver?: string;
  horizon: number | null;
  plane: string | null;
  gravity?: Vector;
  tick?: number;
  bodies: readonly Body[];
  springs: readonly Spring[];
  joints?: readonly Joint[];
  scene: readonly Drawing[];
  components: readonly Component[];
  parameters: readonly Knob[];
  inputs: readonly Knob[];
  starts: readonly Knob[];
  channels: readonly { name: string; kind?: string }[];
  properties: readonly Property[];
  signals: readonly Signal[];
  signal_count?: number;
  plots?: readonly (readonly string[])[];
  problems: readonly Problem[];
  notes: readonly string[];
}

export type State = "empty" | "working" | "live" | "paused" | "past" | "ended" | "error";

export interface Span {
  from: number;
  to: number;
}

export interface Status {
  state: State;
  time: number;
  live: number;
  playing: boolean;
  speed: { target: number; achieved: number | null; overruns: number };
  tick?: number;
  loop?: Span | null;
  fork?: { at: number; name: string; from: number | null; to: number | null } | null;
  settings?: Record<string, number>; // of the run that is shown, where they differ from the text
  why?: string;
  link?: string;
  asks?: boolean; // the run waits for an edge to be chosen
  may_wait?: boolean; // and may let time pass instead
  progress?: { text: string; share: number | null } | null;
}

export interface Happening {
  time: number;
  kind: string;
  who: readonly string[];
  from?: string;
  to?: string;
  edges?: readonly { component: string; edge: string | number }[];
  channel?: string | null;
  sender?: string | null;
  receivers?: readonly string[];
  remark?: string;
}

export interface Change {
  time: number;
  lane: string;
  value: string;
}

export interface Shaded extends Span {
  lane: string;
  why: string;
}

export interface Enabled {
  time: number;
  edges: readonly { component: string; edge: string | number; choose: boolean }[];
  ahead: readonly { component?: string; signal?: string; edge?: string | number; at: number }[];
}

export interface ContactPoint {
  contact: string;
  at: Vector;
  normal: Vector;
  force: Vector;
  mode: string;
  friction: number;
}

export interface Verdict {
  re: number;
  verdict: "unsafe" | "not_found" | "safe" | "unknown" | string;
  witness?: { id: string | number; parameters: Record<string, number>; time: number } | null;
  covered?: number | null;
  text: string;
}

export interface MapAxis extends Reach {
  n: number;
}

export interface ParameterMap {
  re: number;
  over: readonly MapAxis[];
  values: readonly (string | null)[];
  legend?: Record<string, string>;
}

/** From where to where a name goes. */
export interface Reach {
  name: string;
  lo: number;
  hi: number;
}

/** A part of the ranges, and what is proved of all numbers in it. */
export interface ProvedBox {
  verdict: "safe" | "unsafe" | "open";
  ranges: readonly (readonly [number, number])[];
  why?: string;
}

/** Boxes that were decided since the last such message. */
export interface ProvedBoxes {
  re: number;
  over: readonly Reach[];
  boxes: readonly ProvedBox[];
}

export interface Neighbourhood {
  nodes: readonly {
    id: string;
    location: string;
    closed: readonly { contact: string; mode: string }[];
  }[];
  edges: readonly { source: string; target: string; label: string }[];
  current: string;
}

/** Recorded frames: arrays as base64, little endian. Only in replay files. */
export interface RecordedFrames {
  times: string;
  bodies: string;
  signals: readonly string[];
  values: string;
}

export type Said =
  | ({ say: "model" } & Model)
  | ({ say: "status" } & Status)
  | { say: "events"; events: readonly Happening[]; since?: number } // s: those before are forgotten
  | { say: "lanes"; changes: readonly Change[]; shaded?: readonly Shaded[] }
  | { say: "cut"; at: number; ghost: boolean }
  | ({ say: "enabled" } & Enabled)
  | { say: "contacts"; time: number; points: readonly ContactPoint[] }
  | { say: "progress"; re: number; done: number; total: number | null; text: string }
  | ({ say: "verdict" } & Verdict)
  | ({ say: "map" } & ParameterMap)
  | ({ say: "boxes" } & ProvedBoxes)
  | { say: "note"; text: string }
  | ({ say: "frames" } & RecordedFrames);

export type Asked =
  | { do: "open"; example?: string; text?: string; name?: string; witness?: string | number }
  | { do: "check"; text: string }
  | { do: "play" | "pause" | "first" | "command" }
  | { do: "restart"; play?: boolean }
  | { do: "speed"; factor: number }
  | { do: "ticks" | "events"; n: number }
  | { do: "seek"; time: number }
  | { do: "loop"; from?: number; to?: number }
  | { do: "set"; values: Record<string, number>; at?: number }
  | { do: "choice"; how: string }
  | { do: "wait" }
  | { do: "signal"; channel: string }
  | { do: "take"; component: string; edge: string | number }
  | { do: "drag"; body: string; position: Vector }
  | { do: "subscribe"; signals: readonly string[] }
  | HistoryAsked
  | { do: "find"; text: string; limit: number }
  | { do: "around"; component: string; location?: string }
  | { do: "show"; contacts: boolean }
  | { do: "falsify"; property: string; ranges: Record<string, [number, number]>; runs?: number }
  | { do: "prove"; property: string; ranges: Record<string, [number, number]>; seconds?: number }
  | { do: "map"; over: readonly MapAxis[] }
  | { do: "cancel"; id: number }
  | { do: "save"; text: string }
  | { do: "share"; what: "replay" | "csv"; signals?: readonly string[] };

export interface HistoryAsked extends Span {
  do: "history";
  signals: readonly string[];
  pixels: number;
  ghost?: boolean;
}

/** What comes back: `ok`, and whatever the request promises. */
export interface Answer {
  re: number;
  ok: boolean;
  problems?: readonly Problem[];
  names?: readonly { name: string; kind: string }[];
  signals?: readonly Signal[];
  text?: string;
  name?: string;
  nodes?: Neighbourhood["nodes"];
  edges?: Neighbourhood["edges"];
  current?: string;
}
