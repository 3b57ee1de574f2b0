import { describe, expect, it } from "vitest";
import { fitted, lastMessages, messagesOf } from "../../src/log/messages.ts";
import { changeOf, matches, rowOf } from "../../src/log/rows.ts";
import type { Happening } from "../../src/protocol/messages.ts";
import { handshake } from "../recordings.ts";

const EVENTS = handshake().flatMap((said) => (said.say === "events" ? said.events : []));
const SLIP: Happening = {
  time: 1,
  kind: "slip",
  who: ["a-b", "a-c"],
  from: "{}",
  to: "{a-b: slip}",
};

describe("rows of the log", () => {
  it("name sender and receivers of a message", () => {
    expect(rowOf(EVENTS[0]!)).toMatchObject({
      who: "finger → lamp",
      remark: "dark → dim",
    });
  });
  it("name the change of location where there is no remark", () => {
    expect(rowOf(SLIP)).toMatchObject({ who: "a-b, a-c", remark: "a-b: open → slip" });
  });
  it("name only what differs", () => {
    expect(changeOf("{a-b: slip, a-c: stick}", "{a-b: stick, a-c: stick}")).toBe(
      "a-b: slip → stick",
    );
    expect(changeOf("{}, ready, idle", "{a-b: slip}, swing, idle")).toBe(
      "ready → swing, a-b: open → slip",
    );
    expect(changeOf("{}", "{}")).toBe("");
  });
  it("are found by all words of a search", () => {
    expect(matches(rowOf(SLIP), "slip A-C")).toBe(true);
    expect(matches(rowOf(SLIP), "slip lamp")).toBe(false);
    expect(matches(rowOf(SLIP), "")).toBe(true);
  });
});

describe("messages", () => {
  const messages = messagesOf([SLIP, ...EVENTS]);

  it("are the events with a sender", () => {
    expect(messages).toHaveLength(10);
    expect(messages[0]).toEqual({
      time: 1,
      channel: "press",
      sender: "finger",
      receivers: ["lamp"],
    });
  });
  it("in sight are the last ones, and the next", () => {
    expect(lastMessages(messages, 5.5, 3).map((message) => message.time)).toEqual([4, 5, 6]);
    expect(lastMessages(messages, 0, 3).map((message) => message.time)).toEqual([1, 2, 3]);
    expect(lastMessages(messages, 99, 3).map((message) => message.time)).toEqual([8, 9, 10]);
  });
});

it.each([
  ["control", 100, "control"],
  ["the_keeper_of_the_hall", 90, "the_keeper…"],
])("the name %s has %d pixels for %s", (name, room, shown) => {
  expect(fitted(name, room)).toBe(shown);
});
