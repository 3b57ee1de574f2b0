import { describe, expect, it } from "vitest";
import { counted, factor, measured, number, quantity, seconds } from "../../src/page/format.ts";
import { stateWords } from "../../src/page/words.ts";
import type { Status } from "../../src/protocol/messages.ts";

describe("numbers", () => {
  it.each([
    [0, "0"],
    [1.23456, "1.235"],
    [-20, "−20"],
    [1e-5, "1·10⁻⁵"],
    [-1.5e9, "−1.5·10⁹"],
    [123456, "123500"],
    [Number.NaN, "–"],
    [Number.POSITIVE_INFINITY, "∞"],
  ])("%d is written %s", (value, text) => expect(number(value)).toBe(text));

  it("have units behind a narrow space", () => {
    expect(quantity(9.81, "m/s²")).toBe("9.81\u202fm/s²");
    expect(quantity(0.8, "1")).toBe("0.8");
    expect(measured(3e-17, "m/s")).toBe("0\u202fm/s"); // less than a run knows
    expect(measured(-2e-11, "m")).toBe("−2·10⁻¹¹\u202fm");
    expect(seconds(-0.0004)).toBe("0.000\u202fs");
    expect(seconds(-0.004)).toBe("−0.004\u202fs");
    expect(factor(0.1)).toBe("0.100×");
    expect([1, 2].map((n) => counted(n, "event"))).toEqual(["1\u00a0event", "2\u00a0events"]);
  });
});

const STATUS: Status = {
  state: "live",
  time: 2,
  live: 3.2,
  playing: true,
  speed: { target: 1, achieved: 0.98, overruns: 0 },
};

describe("the state in words", () => {
  const said = (change: Partial<Status>) => stateWords({ ...STATUS, ...change }, true, true);

  it("has the achieved rate while live", () => {
    expect(said({})).toMatchObject({ state: "live", text: "live 0.980×" });
  });
  it("says how far back one looks", () => {
    expect(said({ state: "past", playing: false }).text).toBe("past, 1.200\u202fs behind");
    expect(said({ state: "past" }).text).toBe("playing, 1.200\u202fs behind");
  });
  it("says where a run was forked, and by what", () => {
    const fork = { at: 1, name: "e", from: 0.8, to: 0.9 };
    const words = said({ fork });
    expect(words.state).toBe("fork");
    expect(words.more).toBe("forked at 1.000\u202fs (e: 0.8 → 0.9)");
    const several = { at: 1, name: "e, drop", from: null, to: null };
    expect(said({ fork: several }).more).toBe("forked at 1.000\u202fs (e, drop)");
  });
  it("says that it stands at the horizon, and that it can go on", () => {
    const why = "the horizon is reached; play goes on";
    const words = said({ state: "paused", why });
    expect(words).toMatchObject({ state: "paused", text: "paused at the horizon", more: why });
    const fork = { at: 1, name: "e", from: 0.8, to: 0.9 };
    expect(said({ state: "paused", why, fork }).text).toBe("fork, at the horizon");
    expect(said({ state: "paused", why: "which?", asks: true }).text).toBe("paused");
    expect(said({ state: "paused" }).text).toBe("paused");
  });
  it("says why a run ended", () => {
    const words = said({ state: "ended", why: "the horizon was reached" });
    expect(words).toMatchObject({
      text: "ended at 3.200\u202fs",
      more: "the horizon was reached",
    });
  });
  it("says that the server is away before anything else", () => {
    expect(stateWords(STATUS, true, false).state).toBe("away");
  });
  it("never calls a recorded run live", () => {
    expect(stateWords(STATUS, false, true)).toMatchObject({
      state: "replay",
      text: "replay 1.00×",
    });
  });
});
