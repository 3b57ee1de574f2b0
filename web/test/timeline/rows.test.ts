import { describe, expect, it } from "vitest";
import type { Model } from "../../src/protocol/messages.ts";
import { Lanes } from "../../src/state/lanes.ts";
import { rowsOf, summary } from "../../src/timeline/rows.ts";
import { scaleOf, ticks, toPixel, toTime } from "../../src/timeline/scale.ts";
import { handshake } from "../recordings.ts";

describe("the scale of time", () => {
  const scale = scaleOf({ from: 2, to: 10 }, 1280);

  it("is there and back again", () => {
    for (const time of [2, 3.7, 10]) {
      expect(toTime(scale, toPixel(scale, time))).toBeCloseTo(time, 12);
    }
    expect(toPixel(scale, 2)).toBe(scale.left);
    expect(toPixel(scale, 10)).toBe(scale.right);
  });

  it("has round ticks with as many decimals as they need", () => {
    expect(ticks(scale)).toEqual({ times: [2, 3, 4, 5, 6, 7, 8, 9, 10], decimals: 0 });
    const close = ticks({ ...scale, from: 1.0001, to: 1.0009 });
    expect(close.decimals).toBe(4);
    expect(close.times[0]).toBeCloseTo(1.0001, 12);
    expect(close.times.length).toBe(9);
  });
});

/** A model of `count` contacts, of which the first two ever close. */
function crowd(count: number): { model: Model; lanes: Lanes } {
  const contacts = Array.from({ length: count }, (_, i) => {
    return { name: `b${i}-floor`, a: `b${i}`, b: "floor" };
  });
  const message = handshake().find((said) => said.say === "model")!;
  const bodies = { name: "bodies", kind: "bodies" as const, contacts };
  const model: Model = { ...message, components: [bodies, ...message.components] };
  const lanes = new Lanes();
  for (const [i, { name }] of contacts.entries()) {
    lanes.add([{ time: 0, lane: name, value: "open" }], []);
    if (i < 2) lanes.add([{ time: 1, lane: name, value: "slip" }], []);
  }
  return { model, lanes };
}

describe("lanes", () => {
  const choice = { search: "", touchedOnly: true };

  it("of a small model are all there", () => {
    const { model, lanes } = crowd(5);
    const rows = rowsOf(model, lanes, choice, new Set());
    expect(rows.shown.map((row) => row.lane)).toHaveLength(7);
    expect(summary(rows, choice)).toBe("");
  });

  it("of many contacts are those that ever touched, if only for an impact", () => {
    const { model, lanes } = crowd(200);
    const rows = rowsOf(model, lanes, choice, new Set(["b9-floor"]));
    const touched = ["b0-floor", "b1-floor", "b9-floor"];
    expect(rows.shown.map((row) => row.lane)).toEqual([...touched, "finger", "lamp"]);
    expect(summary(rows, choice)).toBe("3 of 200 contacts: those that ever touched");
    const all = rowsOf(model, lanes, { ...choice, touchedOnly: false }, new Set());
    expect(all.contacts.shown).toBe(200);
  });

  it("can be searched", () => {
    const { model, lanes } = crowd(5);
    const rows = rowsOf(model, lanes, { search: " LAMP ", touchedOnly: true }, new Set());
    expect(rows.shown.map((row) => row.lane)).toEqual(["lamp"]);
  });
});
