import { beforeEach, describe, expect, it } from "vitest";
import { Actions, actionButton, keyName } from "../../src/page/actions.ts";
import { element } from "../../src/page/dom.ts";

let actions: Actions;
let done: string[];

function add(key: string): void {
  actions.add({ label: `does ${key}`, key, group: "time", run: () => done.push(key) });
}

function type(target: Element, key: string, more: KeyboardEventInit = {}): void {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
}

beforeEach(() => {
  actions = new Actions();
  done = [];
  for (const key of [" ", "ArrowLeft", "Shift+ArrowLeft", "g", "?"]) add(key);
  document.body.replaceChildren();
  const page = document.implementation.createHTMLDocument();
  document.body.append(page.createElement("p"));
  document.body.addEventListener("keydown", (event) => actions.press(event), { once: true });
});

describe("keys", () => {
  it.each([
    ["g", {}, "g"],
    ["G", { shiftKey: true }, "g"],
    ["?", { shiftKey: true }, "?"],
    ["ArrowLeft", {}, "ArrowLeft"],
    ["ArrowLeft", { shiftKey: true }, "Shift+ArrowLeft"],
  ])("%s %o does %s", (key, more, what) => {
    type(document.body, key, more);
    expect(done).toEqual([what]);
  });

  it("with Ctrl are the browser's", () => {
    type(document.body, "g", { ctrlKey: true });
    expect(done).toEqual([]);
  });

  it.each([
    [element("input", { type: "text" }), "g"],
    [element("textarea"), " "],
    [element("input", { type: "range" }), "ArrowLeft"],
    [element("button"), " "],
  ])("in %s, %s is the element's own", (node, key) => {
    document.body.append(node);
    type(node, key);
    expect(done).toEqual([]);
  });

  it("work while a slider has the focus, unless they move it", () => {
    const slider = element("input", { type: "range" });
    document.body.append(slider);
    type(slider, "g");
    expect(done).toEqual(["g"]);
  });
});

it("two actions cannot share a key", () => {
  expect(() => add("g")).toThrow("two actions");
});

it("a button's tooltip names its key", () => {
  const action = {
    label: "one tick on",
    key: "Shift+ArrowRight",
    group: "time" as const,
    run() {},
  };
  expect(actionButton(action, { icon: "tick" }).title).toBe("one tick on (Shift →)");
  expect(keyName(" ")).toBe("space");
});

it("a button pressed with the pointer lets the focus go, one pressed with a key keeps it", () => {
  actions.listen(document);
  const node = element("button");
  document.body.append(node);
  node.focus();
  node.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
  expect(document.activeElement).toBe(node);
  node.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  expect(document.activeElement).not.toBe(node);
});
