import { beforeEach, describe, expect, it } from "vitest";
import { Work } from "../../src/falsify/work.ts";
import { makeApp } from "../../src/page/app.ts";
import type { Answer, Asked } from "../../src/protocol/messages.ts";
import { Replay } from "../../src/source/replay.ts";
import { Ear } from "../../src/state/cell.ts";
import { bouncingBall } from "../recordings.ts";

const SEARCH: Asked = { do: "map", over: [] };

/** Answers as late as it is told to, as a server does whose search begins in a process of its own. */
class Late extends Replay {
  asked: Asked[] = [];
  tell: (answer: Answer) => void = () => {};
  override ask(request: Asked): Promise<Answer> {
    this.asked.push(request);
    return new Promise((resolve) => {
      this.tell = resolve;
    });
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
let source: Late;
let work: Work;
let node: HTMLElement;

beforeEach(() => {
  source = new Late(bouncingBall());
  work = new Work(makeApp(source), new Ear());
  node = work.buttons("search", () => void work.start(SEARCH));
});

const press = (n: number) => node.querySelectorAll("button")[n]!.click();

describe("work on the server", () => {
  it("that is cancelled is ended there", async () => {
    press(0);
    source.tell({ re: 7, ok: true });
    await turn();
    press(1);
    expect(source.asked).toEqual([SEARCH, { do: "cancel", id: 7 }]);
    expect(node.textContent).toContain("cancelled");
  });
  it("that is cancelled before it has begun is ended as it begins", async () => {
    press(0);
    press(1);
    expect(source.asked).toEqual([SEARCH]);
    source.tell({ re: 7, ok: true });
    await turn();
    expect(source.asked).toEqual([SEARCH, { do: "cancel", id: 7 }]);
    expect(work.is(7)).toBe(false);
    expect(node.textContent).toContain("cancelled");
  });
});
