import { beforeEach, describe, expect, it, vi } from "vitest";
import { Live, type Socket } from "../../src/source/live.ts";
import { Heard } from "./listening.ts";

/** The far end of a line: what the page sends is kept, and a test answers. */
class Line implements Socket {
  binaryType: BinaryType = "blob";
  readyState: Socket["readyState"] = 1;
  sent: Record<string, unknown>[] = [];
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;

  send(data: unknown): void {
    this.sent.push(JSON.parse(String(data)) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.(new CloseEvent("close"));
  }

  say(message: object | ArrayBuffer): void {
    const data = message instanceof ArrayBuffer ? message : JSON.stringify(message);
    this.onmessage?.(new MessageEvent("message", { data }));
  }
}

let lines: Line[];
let heard: Heard;
let live: Live;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  heard = new Heard();
  live = new Live(() => {
    const line = new Line();
    lines.push(line);
    return line;
  });
  live.start(heard);
  lines[0]!.onopen?.(new Event("open"));
});

describe("the live source", () => {
  it("gives each request a number, and each answer to its request", async () => {
    const first = live.ask({ do: "check", text: "a" });
    const second = live.ask({ do: "play" });
    expect(lines[0]!.sent).toEqual([
      { v: 1, id: 1, do: "check", text: "a" },
      { v: 1, id: 2, do: "play" },
    ]);
    lines[0]!.say({ re: 2, ok: true });
    lines[0]!.say({ re: 1, ok: true, names: [{ name: "e", kind: "parameter" }] });
    expect((await second).ok).toBe(true);
    expect((await first).names).toEqual([{ name: "e", kind: "parameter" }]);
  });

  it("rejects with the problems that the server found", async () => {
    const opened = live.ask({ do: "open", text: "bdy" });
    const problem = { line: 1, column: 1, length: 3, message: "unknown word 'bdy'" };
    lines[0]!.say({ re: 1, ok: false, problems: [problem] });
    await expect(opened).rejects.toMatchObject({ problems: [problem], message: problem.message });
  });

  it("hands histories to who asked, and frames to the listener", async () => {
    const asked = live.history({ do: "history", signals: [], from: 0, to: 1, pixels: 9 });
    const history = new ArrayBuffer(12);
    new DataView(history).setUint8(0, 2);
    new DataView(history).setUint32(4, 1, true);
    lines[0]!.say(history);
    expect((await asked).times.length).toBe(0);
    const frame = new ArrayBuffer(16);
    new DataView(frame).setUint8(0, 1);
    new DataView(frame).setFloat64(8, 2.5, true);
    lines[0]!.say(frame);
    expect(heard.time).toBe(2.5);
  });

  it("comes back when the link breaks, more slowly each time, and lets nobody wait", async () => {
    const asked = live.ask({ do: "play" });
    lines[0]!.close();
    await expect(asked).rejects.toThrow("went away");
    expect(heard.links).toEqual([true, false]);
    await expect(live.ask({ do: "play" })).rejects.toThrow("cannot be reached");
    vi.advanceTimersByTime(250);
    expect(lines.length).toBe(2);
    lines[1]!.close();
    vi.advanceTimersByTime(300);
    expect(lines.length).toBe(2);
    vi.advanceTimersByTime(300);
    expect(lines.length).toBe(3);
  });
});
