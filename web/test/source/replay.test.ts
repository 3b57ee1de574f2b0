import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { Replay, unpack } from "../../src/source/replay.ts";
import { Refused } from "../../src/source/source.ts";
import { BALL, bouncingBall, handshake, impacts, sliding } from "../recordings.ts";
import { Heard } from "./listening.ts";

/** A clock that stands still until it is told to go. */
class Hands {
  time = 0;
  private waiting: (() => void)[] = [];
  now = () => this.time;
  later = (then: () => void) => void this.waiting.push(then);

  pass(seconds: number, pictures = 10): void {
    for (let i = 0; i < pictures; i++) {
      this.time += seconds / pictures;
      for (const then of this.waiting.splice(0)) then();
    }
  }
}

let heard: Heard;
let clock: Hands;
let ball: Replay;

beforeEach(() => {
  heard = new Heard();
  clock = new Hands();
  ball = new Replay(bouncingBall(), clock);
  ball.start(heard);
});

describe("a replay", () => {
  it("says model, events and lanes, and shows its first instant", () => {
    expect(heard.messages.map((message) => message.say)).toEqual([
      "model",
      "events",
      "lanes",
      "status",
      "enabled",
    ]);
    expect(heard.time).toBe(0);
    expect(heard.status).toMatchObject({ state: "paused", live: BALL.horizon });
  });

  it("plays at the speed asked for, and stands when paused", async () => {
    await ball.ask({ do: "speed", factor: 2 });
    await ball.ask({ do: "play" });
    clock.pass(1);
    expect(heard.time).toBeCloseTo(2, 9);
    await ball.ask({ do: "pause" });
    clock.pass(1);
    expect(heard.time).toBeCloseTo(2, 9);
    expect(heard.status.playing).toBe(false);
  });

  it("ends with its reason, and plays again from the start", async () => {
    await ball.ask({ do: "play" });
    clock.pass(9);
    expect(heard.status).toMatchObject({ state: "ended", why: "the horizon of 8 s was reached" });
    await ball.ask({ do: "play" });
    clock.pass(0.5);
    expect(heard.time).toBeCloseTo(0.5, 9);
  });

  it("steps from event to event, forwards and back", async () => {
    const { times } = impacts(BALL);
    await ball.ask({ do: "events", n: 3 });
    expect(heard.time).toBe(times[2]);
    await ball.ask({ do: "events", n: -2 });
    expect(heard.time).toBe(times[0]);
    await ball.ask({ do: "events", n: -1 });
    expect(heard.time).toBe(0);
  });

  it("loops between two marks", async () => {
    await ball.ask({ do: "loop", from: 1, to: 2 });
    await ball.ask({ do: "seek", time: 1.5 });
    await ball.ask({ do: "play" });
    clock.pass(0.8, 8);
    expect(heard.time).toBeCloseTo(1.3, 9);
  });

  it("sends the subscribed signals in order", async () => {
    await ball.ask({ do: "subscribe", signals: ["energy", "ball.y", "nothing"] });
    await new Promise((resolve) => setTimeout(resolve));
    const [energy, y, nothing] = heard.frames.at(-1)!.values;
    expect(y).toBeCloseTo(2.25, 6);
    expect(energy).toBeCloseTo(9.81 * 2.25 + 0.08, 4);
    expect(nothing).toBeNaN();
  });

  it("gives its numbers away as a table", async () => {
    const signals = ["ball.y", "gap[ball,floor]", "nothing"];
    const { text } = await ball.ask({ do: "share", what: "csv", signals });
    const [head, first] = text!.split("\n");
    expect(head).toBe('t,ball.y,"gap[ball,floor]",nothing');
    expect(first).toBe("0,2.25,2,");
  });

  it("refuses what would change the run", async () => {
    await expect(ball.ask({ do: "set", values: { e: 0.5 } })).rejects.toThrow(Refused);
  });
});

it("a replay of automata says which edge the record takes next", async () => {
  const lamp = new Replay(handshake(), clock);
  lamp.start(heard);
  await lamp.ask({ do: "seek", time: 1.5 });
  const enabled = heard.messages.findLast((message) => message.say === "enabled");
  expect(enabled?.ahead).toEqual([
    { component: "finger", edge: "0", at: 2 },
    { component: "lamp", edge: "1", at: 2 },
  ]);
});

it("a replay shows contacts when asked, as they were at the time", async () => {
  const slide = new Replay(sliding(), clock);
  slide.start(heard);
  await slide.ask({ do: "seek", time: 2 });
  expect(heard.messages.some((message) => message.say === "contacts")).toBe(false);
  await slide.ask({ do: "show", contacts: true });
  const shown = () => heard.messages.findLast((message) => message.say === "contacts")!.points[0]!;
  expect(shown()).toMatchObject({ mode: "stick", force: [0, 9.81, 0] });
  await slide.ask({ do: "seek", time: 0.15 });
  expect(shown()).toMatchObject({ mode: "slip" });
});

it("a replay file is gzipped JSON in base64", async () => {
  const messages = handshake();
  const packed = gzipSync(JSON.stringify(messages)).toString("base64");
  expect(await unpack(`\n${packed}\n`)).toEqual(JSON.parse(JSON.stringify(messages)));
});
