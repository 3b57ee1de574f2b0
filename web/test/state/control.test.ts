import { beforeEach, describe, expect, it } from "vitest";
import type { Answer, Asked } from "../../src/protocol/messages.ts";
import { Replay } from "../../src/source/replay.ts";
import { Control } from "../../src/state/control.ts";
import { Known } from "../../src/state/known.ts";
import { Subscriptions } from "../../src/state/subscriptions.ts";
import { View } from "../../src/state/view.ts";
import { BALL, bouncingBall, handshake } from "../recordings.ts";

/** A replay that keeps what it is asked. */
class Asking extends Replay {
  asked: Asked[] = [];
  override ask(request: Asked): Promise<Answer> {
    this.asked.push(request);
    return super.ask(request);
  }
}

let source: Asking;
let known: Known;
let control: Control;

const turn = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  source = new Asking(bouncingBall());
  known = new Known();
  control = new Control(source, known);
});

describe("seeking", () => {
  beforeEach(() => source.start(known.listener()));

  it("moves the cursor at once and skips all but the last time while waiting", async () => {
    for (const time of [1, 2, 3]) control.seek(time);
    expect(known.time.value).toBe(3);
    await turn();
    expect(source.asked).toEqual([
      { do: "seek", time: 1 },
      { do: "seek", time: 3 },
    ]);
    expect(known.frame.value!.time).toBe(3);
  });

  it("stays within the run", async () => {
    control.seek(99);
    await turn();
    expect(known.time.value).toBe(BALL.horizon);
  });
});

it("what is refused becomes a notice", async () => {
  source.start(known.listener());
  control.signal("press");
  await turn();
  expect(control.notice.value).toBe("a recorded run can only be watched");
});

it("speed goes in steps of a sixth of a power of ten", async () => {
  source.start(known.listener());
  for (let i = 0; i < 6; i++) control.faster(1); // faster than answers come
  await turn();
  expect(known.status.value.speed.target).toBe(10);
  control.faster(-12);
  await turn();
  expect(known.status.value.speed.target).toBe(0.1);
});

describe("subscriptions", () => {
  it("ask once for what all views want, and find each value", async () => {
    const subscriptions = new Subscriptions(source, known);
    subscriptions.want("plots", ["ball.y", "energy"]);
    subscriptions.want("scene", ["energy", "ball.x"]);
    source.start(known.listener());
    await turn();
    await turn();
    expect(source.asked).toEqual([{ do: "subscribe", signals: ["ball.y", "energy", "ball.x"] }]);
    expect(subscriptions.value("ball.y")).toBeCloseTo(2.25, 6);
    expect(subscriptions.value("ball.x")).toBe(0);
    expect(subscriptions.value("ball.vy")).toBeNaN();
  });
});

describe("the window of time", () => {
  it("is the whole horizon, and stays where it was zoomed to", () => {
    const view = new View(known);
    source.start(known.listener());
    expect(view.window.value).toEqual({ from: 0, to: BALL.horizon });
    view.zoomAround(4, 0.5);
    expect(view.window.value).toEqual({ from: 2, to: 6 });
    known.status.tell();
    expect(view.window.value).toEqual({ from: 2, to: 6 });
    view.whole();
    expect(view.window.value).toEqual({ from: 0, to: BALL.horizon });
  });

  it("grows with a run that has no horizon", () => {
    const view = new View(known);
    new Replay(handshake()).start(known.listener());
    known.model.set({ ...known.model.value!, horizon: null });
    known.listener().said({ say: "status", ...known.status.value, live: 31 });
    expect(view.window.value).toEqual({ from: 0, to: 40 });
  });

  it("chooses plots where the model does not", () => {
    const view = new View(known);
    new Replay(handshake()).start(known.listener());
    expect(view.plots.value).toEqual([["finger.c", "lamp.light"]]);
    const ball = bouncingBall().find((said) => said.say === "model")!;
    known.model.set({ ...ball, plots: [] });
    expect(view.plots.value).toEqual([["ball.y"], ["energy"]]);
  });
});
