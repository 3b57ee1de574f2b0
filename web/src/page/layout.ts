// What is where: bar, then editor | scene | automata, then lanes and plots, then log | messages.
// Borders between panes can be moved, by hand or with the arrow keys.
import { element } from "./dom.ts";

export interface Panes {
  bar: HTMLElement;
  editor: HTMLElement;
  scene: HTMLElement;
  automata: HTMLElement;
  timeline: HTMLElement;
  log: HTMLElement;
  messages: HTMLElement;
}

export interface Layout {
  root: HTMLElement;
  /** The row of editor, scene and automata. */
  middle: HTMLElement;
  panes: Panes;
  /** Fold a pane away, or bring it back. */
  show(pane: keyof Panes, shown: boolean): void;
}

function pane(name: keyof Panes, label: string): HTMLElement {
  return element("section", { class: `pane ${name}`, "aria-label": label });
}

export function layout(): Layout {
  const panes: Panes = {
    bar: element("header", { class: "bar" }),
    editor: pane("editor", "Model and its knobs"),
    scene: pane("scene", "Scene"),
    automata: pane("automata", "Automata"),
    timeline: pane("timeline", "Lanes and plots"),
    log: pane("log", "Log of events"),
    messages: pane("messages", "Messages between components"),
  };
  const root = element("main", { class: "page" });
  const middle = element(
    "div",
    { class: "row middle" },
    panes.editor,
    border(root, "--editor", "width of the editor", "x", 1),
    panes.scene,
    border(root, "--automata", "width of the automata", "x", -1),
    panes.automata,
  );
  const bottom = element(
    "div",
    { class: "row bottom" },
    panes.log,
    border(root, "--messages", "width of the messages", "x", -1),
    panes.messages,
  );
  root.append(
    panes.bar,
    middle,
    border(root, "--timeline", "height of lanes and plots", "y", -1),
    panes.timeline,
    border(root, "--bottom", "height of the log", "y", -1),
    bottom,
  );
  const show = (name: keyof Panes, shown: boolean) =>
    root.classList.toggle(`without-${name}`, !shown);
  return { root, middle, panes, show };
}

const LEAST = 90; // px, of a pane
const STEP = 16; // px, for one press of an arrow key

/** A border that moves the length `--name` of the page; `sign` says to which side it grows. */
function border(
  root: HTMLElement,
  name: `--${string}`,
  label: string,
  axis: "x" | "y",
  sign: 1 | -1,
): HTMLElement {
  const length = () => Number.parseFloat(getComputedStyle(root).getPropertyValue(name));
  const most = () => 0.75 * (axis === "x" ? root.clientWidth : root.clientHeight);
  const set = (value: number) => {
    const clipped = Math.min(Math.max(value, LEAST), most());
    root.style.setProperty(name, `${Math.round(clipped)}px`);
    dispatchEvent(new Event("resize"));
  };
  const move = (event: PointerEvent) => {
    const start = axis === "x" ? event.clientX : event.clientY;
    const before = length();
    node.setPointerCapture(event.pointerId);
    node.onpointermove = (later) =>
      set(before + sign * ((axis === "x" ? later.clientX : later.clientY) - start));
  };
  const nudge = (event: KeyboardEvent) => {
    const steps: Record<string, number> =
      axis === "x" ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(length() + sign * step * STEP);
  };
  const node = element("div", {
    class: `border border-${axis} border${name.slice(1)}`,
    role: "separator",
    tabindex: 0,
    "aria-orientation": axis === "x" ? "vertical" : "horizontal",
    "aria-label": label,
    title: `drag to change the ${label}`,
    on: {
      pointerdown: move,
      pointerup: () => {
        node.onpointermove = null;
      },
      dblclick: () => {
        root.style.removeProperty(name);
        dispatchEvent(new Event("resize"));
      },
      keydown: nudge,
    },
  });
  return node;
}
