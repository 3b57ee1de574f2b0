// Runs written by formula, as the messages of a replay file: what the page is tried with where no
// server is. A ball that bounces until its impacts accumulate, and two automata that shake hands.
import type {
  Change,
  Happening,
  Knob,
  Model,
  RecordedFrames,
  Said,
  Status,
} from "../src/protocol/messages.ts";

const EMPTY: Model = {
  id: 1,
  name: "",
  title: "",
  text: "",
  editable: true,
  solver: "native",
  horizon: null,
  plane: null,
  gravity: [0, -9.81, 0],
  tick: 0.02,
  bodies: [],
  springs: [],
  scene: [],
  components: [],
  parameters: [],
  inputs: [],
  starts: [],
  channels: [],
  properties: [],
  signals: [],
  problems: [],
  notes: [],
};

function ended(time: number): Status {
  return {
    state: "ended",
    time: 0,
    live: time,
    playing: false,
    speed: { target: 1, achieved: null, overruns: 0 },
    why: `the horizon of ${time} s was reached`,
  };
}

export function base64(numbers: Float32Array | Float64Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Rows of [time, bodies…, values…] as a message. */
function frames(rows: readonly number[][], moving: number, signals: string[]): RecordedFrames {
  const width = 7 * moving;
  return {
    times: base64(Float64Array.from(rows, (row) => row[0]!)),
    bodies: base64(Float32Array.from(rows.flatMap((row) => row.slice(1, 1 + width)))),
    signals,
    values: base64(Float32Array.from(rows.flatMap((row) => row.slice(1 + width)))),
  };
}

/** Sampling times of an arc, both ends included. */
function samples(from: number, to: number, step = 0.01): number[] {
  const n = Math.max(1, Math.ceil((to - from) / step));
  return Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);
}

const G = 9.81;
const RADIUS = 0.25;

export interface Ball {
  height: number; // of its lowest point, m
  restitution: number;
  drift: number; // m/s along x; the ball spins as if it rolled
  horizon: number;
}

export const BALL: Ball = { height: 2, restitution: 0.8, drift: 0.4, horizon: 8 };

/** The impacts until they accumulate (times and speeds after them), and when they do. */
export function impacts(ball: Ball): { times: number[]; speeds: number[]; end: number } {
  const { height, restitution: e } = ball;
  const first = Math.sqrt((2 * height) / G);
  const end = (first * (1 + e)) / (1 - e);
  const times: number[] = [];
  const speeds: number[] = [];
  let time = first;
  for (let speed = e * G * first; end - time > 1e-6; speed *= e) {
    times.push(time);
    speeds.push(speed);
    time += (2 * speed) / G;
  }
  return { times, speeds, end };
}

const BALL_SIGNALS = ["ball.x", "ball.y", "ball.vy", "gap[ball,floor]", "energy"];

function ballRow(ball: Ball, time: number, gap: number, speed: number): number[] {
  const x = ball.drift * time;
  const half = -x / RADIUS / 2;
  const energy = G * (gap + RADIUS) + (speed ** 2 + ball.drift ** 2) / 2;
  const y = gap + RADIUS;
  return [time, x, y, 0, Math.cos(half), 0, 0, Math.sin(half), x, y, speed, gap, energy];
}

function ballRows(ball: Ball): number[][] {
  const { times, speeds, end } = impacts(ball);
  const rows = samples(0, times[0]!).map((t) =>
    ballRow(ball, t, ball.height - (G * t * t) / 2, -G * t),
  );
  for (const [i, start] of times.entries()) {
    const v = speeds[i]!;
    for (const t of samples(start, times[i + 1] ?? end)) {
      const s = t - start;
      rows.push(ballRow(ball, t, Math.max(0, v * s - (G * s * s) / 2), v - G * s));
    }
  }
  for (const t of samples(end, ball.horizon)) rows.push(ballRow(ball, t, 0, 0));
  return rows;
}

function ballModel(ball: Ball): Model {
  const knob = (name: string, value: number, limits: [number, number], unit: string): Knob => {
    return { name, value, limits, unit };
  };
  return {
    ...EMPTY,
    name: "bouncing-ball",
    title: "A bouncing ball, by formula",
    text: "parameter e = 0.8 in [0, 0.99]\ngravity (0, -9.81, 0)\n",
    horizon: ball.horizon,
    plane: "xy",
    bodies: [
      {
        name: "ball",
        shape: { kind: "sphere", radius: RADIUS },
        fixed: false,
        position: [0, ball.height + RADIUS, 0],
      },
      {
        name: "floor",
        shape: { kind: "plane", normal: [0, 1, 0] },
        fixed: true,
        position: [0, 0, 0],
      },
    ],
    components: [
      { name: "bodies", kind: "bodies", contacts: [{ name: "ball-floor", a: "ball", b: "floor" }] },
    ],
    parameters: [knob("e", ball.restitution, [0, 0.99], "")],
    starts: [knob("ball.y", ball.height + RADIUS, [RADIUS, 10], "m")],
    properties: [{ name: "above", text: "always gap[ball,floor] >= -1e-9", until: null }],
    signals: BALL_SIGNALS.map((name) => ({ name, unit: name === "energy" ? "J" : "m" })),
    plots: [["ball.y"], ["energy"]],
  };
}

export function bouncingBall(ball: Ball = BALL): Said[] {
  const { times, end } = impacts(ball);
  const events: Happening[] = times.map((time) => {
    return { time, kind: "impact", who: ["ball-floor"], from: "{}", to: "{}", remark: "" };
  });
  events.push({
    time: end,
    kind: "accumulation",
    who: ["ball-floor"],
    from: "{}",
    to: "{ball-floor: stick}",
    remark: `impacts accumulated at ${end.toFixed(4)} s`,
  });
  return [
    { say: "model", ...ballModel(ball) },
    { say: "events", events },
    {
      say: "lanes",
      changes: [
        { time: 0, lane: "ball-floor", value: "open" },
        { time: end, lane: "ball-floor", value: "stick" },
      ],
      shaded: [{ lane: "ball-floor", from: end - 0.4, to: end, why: "impacts accumulate" }],
    },
    { say: "status", ...ended(ball.horizon) },
    { say: "frames", ...frames(ballRows(ball), 1, BALL_SIGNALS) },
  ];
}

/** A ball thrown without spin onto a rough floor: it slides, and rolls from 2 v/(7 μ g) on. */
export function sliding(speed = 4, friction = 0.3, horizon = 3): Said[] {
  const rolls = (2 * speed) / (7 * friction * G);
  const xAt = (t: number) => {
    const s = Math.min(t, rolls);
    return speed * s - (friction * G * s * s) / 2 + (5 / 7) * speed * Math.max(0, t - rolls);
  };
  const spun = (t: number) => {
    const s = Math.min(t, rolls);
    const rate = (5 / 7) * (speed / RADIUS);
    return ((5 / 4) * friction * G * s * s) / RADIUS + rate * Math.max(0, t - rolls);
  };
  const rows = samples(0, horizon).map((t) => {
    const half = -spun(t) / 2;
    return [t, xAt(t), RADIUS, 0, Math.cos(half), 0, 0, Math.sin(half), xAt(t)];
  });
  const model = ballModel({ ...BALL, horizon });
  const contacts = samples(0, horizon, 0.1).map((time): Said => {
    const slips = time < rolls;
    const force = [slips ? -friction * G : 0, G, 0] as const;
    const at = [xAt(time), 0, 0] as const;
    const mode = slips ? "slip" : "stick";
    const point = { contact: "ball-floor", at, normal: [0, -1, 0] as const, force, mode, friction };
    return { say: "contacts", time, points: [point] };
  });
  return [
    {
      say: "model",
      ...model,
      name: "sliding",
      plane: null,
      signals: [{ name: "ball.x", unit: "m" }],
      plots: [],
    },
    { say: "events", events: [{ time: rolls, kind: "stick", who: ["ball-floor"] }] },
    {
      say: "lanes",
      changes: [
        { time: 0, lane: "ball-floor", value: "slip" },
        { time: rolls, lane: "ball-floor", value: "stick" },
      ],
    },
    { say: "status", ...ended(horizon) },
    ...contacts,
    { say: "frames", ...frames(rows, 1, ["ball.x"]) },
  ];
}

/** A clock that presses every second, and a lamp that is dark, dim or bright, by turns. */
export function handshake(horizon = 10.5): Said[] {
  const presses = Array.from({ length: Math.floor(horizon) }, (_, i) => i + 1);
  const steps = ["dark", "dim", "bright"];
  const events: Happening[] = presses.map((time, i) => {
    return {
      time,
      kind: "press",
      who: ["finger", "lamp"],
      from: `wait, ${steps[i % 3]}`,
      to: `wait, ${steps[(i + 1) % 3]}`,
      edges: [
        { component: "finger", edge: "0" },
        { component: "lamp", edge: String(i % 3) },
      ],
      channel: "press",
      sender: "finger",
      receivers: ["lamp"],
      remark: "finger to lamp",
    };
  });
  const changes: Change[] = [
    { time: 0, lane: "finger", value: "wait" },
    { time: 0, lane: "lamp", value: "dark" },
    ...presses.map((time, i) => ({ time, lane: "lamp", value: steps[(i + 1) % 3]! })),
  ];
  const rows: number[][] = [];
  for (const start of [0, ...presses]) {
    const light = [0, 0.4, 1][start % 3]!;
    const arc = samples(start, Math.min(start + 1, horizon), 0.05);
    for (const t of arc) rows.push([t, t - start, light]);
  }
  return [
    { say: "model", ...handshakeModel(horizon, steps) },
    { say: "events", events },
    { say: "lanes", changes },
    { say: "status", ...ended(horizon) },
    { say: "frames", ...frames(rows, 0, ["finger.c", "lamp.light"]) },
  ];
}

function handshakeModel(horizon: number, steps: readonly string[]): Model {
  const next = (i: number) => steps[(i + 1) % 3]!;
  return {
    ...EMPTY,
    name: "lamp",
    title: "A finger presses a lamp, by formula",
    text: "channel press\n",
    horizon,
    scene: [
      { kind: "circle", at: [0, 0, 0], radius: 0.5, colour: "yellow", glow: "lamp.light" },
      { kind: "text", at: [0, -0.9, 0], text: "since", value: "finger.c", digits: 1, unit: "s" },
    ],
    plane: "xy",
    components: [
      {
        name: "finger",
        kind: "automaton",
        locations: [{ name: "wait", invariant: "c <= 1" }],
        edges: [
          {
            id: "0",
            source: "wait",
            target: "wait",
            guard: "c >= 1",
            sync: "press!",
            reset: "c := 0",
          },
        ],
      },
      {
        name: "lamp",
        kind: "automaton",
        locations: steps.map((name) => ({ name })),
        edges: steps.map((source, i) => {
          return { id: String(i), source, target: next(i), sync: "press?", reset: "light := …" };
        }),
      },
    ],
    channels: [{ name: "press" }],
    signals: [{ name: "finger.c", unit: "s" }, { name: "lamp.light" }],
  };
}
