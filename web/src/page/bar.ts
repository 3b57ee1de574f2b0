// The top bar: which model, in which state, at which time and speed; and what can be done with it.
import { SPEEDS } from "../state/control.ts";
import { type Action, actionButton } from "./actions.ts";
import type { App } from "./app.ts";
import { element, icon, setIcon, write } from "./dom.ts";
import { counted, factor, seconds } from "./format.ts";
import { switchTheme, theme } from "./theme.ts";
import { transport } from "./transport.ts";
import { stateWords } from "./words.ts";

export interface BarActions {
  gallery: Action | null;
  falsify: Action | null;
  share: Action;
  editor: Action;
  help: Action;
}

export function fillBar(bar: HTMLElement, app: App, doing: BarActions): void {
  bar.append(
    element("span", { class: "brand" }, "dyverse"),
    modelName(app, doing.gallery),
    stateOf(app),
    transport(app),
    clock(app),
    speed(app),
    element("span", { class: "fill" }),
    ...(doing.falsify ? [actionButton(doing.falsify, { text: "falsify" })] : []),
    actionButton(doing.share, { text: "share" }),
    actionButton(doing.editor, { icon: "text" }),
    themeSwitch(app),
    actionButton(doing.help, { text: "?" }),
  );
}

function modelName({ known }: App, gallery: Action | null): HTMLElement {
  const name = element("span", { class: "name" });
  known.model.see((model) => write(name, model?.name ?? "choose a model"));
  if (!gallery) return name;
  const chooser = actionButton(gallery, { class: "model" });
  chooser.append(name, icon("down"));
  return chooser;
}

/** The state as a coloured word; a screen reader hears it when the word changes, not the digits. */
function stateOf({ known, source }: App): HTMLElement {
  const text = element("span", { class: "state-text" });
  const heard = element("span", { class: "unseen", role: "status" });
  const node = element("span", { class: "state" }, element("i", { class: "dot" }), text, heard);
  const draw = () => {
    const words = stateWords(known.status.value, source.live, known.link.value);
    node.dataset.state = words.state;
    node.title = [words.text, words.more].filter(Boolean).join("\n");
    write(text, words.text);
    write(heard, words.state);
  };
  known.status.see(draw);
  known.link.on(draw);
  return node;
}

/** The time itself. It can be grabbed, to the left is earlier; or pressed, and another one typed. */
function clock({ known, control, view, actions }: App): HTMLElement {
  const digits = element("span", { class: "digits" });
  const node = element(
    "output",
    { class: "clock", title: "the time that everything shows; drag it, or press and type (J)" },
    element("span", { class: "muted" }, "t = "),
    digits,
  );
  known.time.see((time) => write(digits, seconds(time)));
  const type = () => {
    const field = timeField(known.time.value, (time) => control.seek(time));
    digits.after(field);
    digits.hidden = true;
    field.addEventListener("blur", () => {
      field.remove();
      digits.hidden = false;
    });
    field.select();
  };
  actions.add({ label: "go to a time", key: "j", group: "time", run: type });
  node.onclick = () => digits.hidden || dragged || type();
  let dragged = false;
  node.onpointerdown = (event) => {
    dragged = false;
    if (event.target instanceof HTMLInputElement) return;
    const start = { x: event.clientX, time: known.time.value };
    node.setPointerCapture(event.pointerId);
    node.onpointermove = (later) => {
      if (Math.abs(later.clientX - start.x) < STEADY) return;
      dragged = true;
      const { from, to } = view.window.value;
      control.seek(start.time + ((later.clientX - start.x) * (to - from)) / 800);
    };
  };
  node.onpointerup = () => {
    node.onpointermove = null;
  };
  return node;
}

const STEADY = 3; // px that a hand moves while it presses

/** A field for a time (s): Enter goes there, Escape does not. */
function timeField(now: number, go: (time: number) => void): HTMLInputElement {
  const field = element("input", { type: "text", inputmode: "decimal", class: "time-field" });
  field.setAttribute("aria-label", "Time to go to, in seconds");
  field.value = now.toFixed(3);
  field.onkeydown = (event) => {
    const time = Number(field.value.replace(",", ".").replace(/\s*s$/, ""));
    if (event.key === "Enter" && field.value.trim() && time >= 0) go(time);
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    field.blur();
  };
  return field;
}

const LEAST = Math.log10(SPEEDS.least);
const MOST = Math.log10(SPEEDS.most);

function speed({ known, control, actions }: App): HTMLElement {
  const slider = element("input", {
    type: "range",
    min: LEAST,
    max: MOST,
    step: 0.05,
    "aria-label": "Speed",
    on: {
      input: () => control.speed(10 ** Number(slider.value)),
      dblclick: () => control.speed(1),
    },
  });
  const target = element("span", { class: "target" });
  const achieved = element("span", { class: "achieved muted" });
  actions.add({ label: "slower", key: "[", group: "time", run: () => control.faster(-1) });
  actions.add({ label: "faster", key: "]", group: "time", run: () => control.faster(1) });
  known.status.see(({ speed: now, playing }) => {
    write(target, factor(now.target));
    if (document.activeElement !== slider) slider.value = String(Math.log10(now.target));
    slider.setAttribute("aria-valuetext", factor(now.target));
    const rate = playing && now.achieved !== null ? `achieved ${factor(now.achieved)}` : "";
    const late = now.overruns > 0 ? counted(now.overruns, "overrun") : "";
    write(achieved, [rate, late].filter(Boolean).join(", "));
    achieved.title = achieved.textContent ?? "";
  });
  return element(
    "label",
    { class: "speed", title: "speed against real time ([ slower, ] faster; double click: 1×)" },
    slider,
    element("span", { class: "rates" }, target, achieved),
  );
}

function themeSwitch({ actions }: App): HTMLElement {
  const action = actions.add({ label: "light or dark", key: "t", group: "look", run: switchTheme });
  const node = actionButton(action, { icon: "moon" });
  theme.see((value) => setIcon(node, value === "dark" ? "sun" : "moon"));
  return node;
}
