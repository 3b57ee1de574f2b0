import { beforeEach, describe, expect, it } from "vitest";
import { Actions } from "../../src/page/actions.ts";
import { help } from "../../src/page/help.ts";

let done: string[];

beforeEach(() => {
  document.body.replaceChildren();
  done = [];
  const actions = new Actions();
  for (const [key, label] of [
    ["p", "trails"],
    ["g", "ghost of the run before"],
    ["f", "falsify a property"],
  ] as const)
    actions.add({ label, key, group: "look", run: () => done.push(label) });
  help(actions);
});

function look(text: string, key = ""): string[] {
  const box = document.querySelector("input");
  if (!box) throw new Error("no box to search in");
  box.value = text;
  box.dispatchEvent(new Event("input"));
  if (key) box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const rows = [...document.querySelectorAll<HTMLElement>("dl:not(.hands) dd")];
  return rows.filter((node) => !node.hidden).map((node) => node.textContent ?? "");
}

describe("the page of keys", () => {
  it("shows all that a key does, and what is looked for alone", () => {
    expect(look("")).toHaveLength(3);
    expect(look("GHOST run")).toEqual(["ghost of the run before"]);
    expect(look("nothing of the kind")).toEqual([]);
  });
  it("does the first that is found on Enter, and closes", () => {
    look("fals", "Enter");
    expect(done).toEqual(["falsify a property"]);
    expect(document.querySelector("dialog")).toBeNull();
  });
  it("does nothing on Enter where nothing is looked for, or found", () => {
    look("", "Enter");
    look("zzz", "Enter");
    expect(done).toEqual([]);
  });
  it("is closed by Escape before the next key comes", () => {
    look("gho", "Escape");
    expect(document.querySelector("dialog[open]")).toBeNull();
    expect(done).toEqual([]);
  });
  it("does what is pressed", () => {
    document.querySelector<HTMLButtonElement>("dd button")?.click();
    expect(done).toEqual(["trails"]);
  });
});
