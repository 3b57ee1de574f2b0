// From where to where the search varies what: a line for each knob, with two handles.
import { spanOf } from "../editor/knobs.ts";
import { element, write } from "../page/dom.ts";
import { number, withUnit } from "../page/format.ts";
import type { Knob, Model } from "../protocol/messages.ts";

export type Range = [number, number];

export interface Ranges {
  node: HTMLElement;
  chosen(): Record<string, Range>;
}

/** Everything that can be varied; what has limits in the text is varied at first. */
export function variables(model: Model): readonly Knob[] {
  return [...model.parameters, ...model.inputs, ...model.starts];
}

export function ranges(model: Model): Ranges {
  const rows = variables(model).map(rangeRow);
  const limited = rows.filter(({ knob }) => knob.limits);
  const rest = rows.filter(({ knob }) => !knob.limits);
  const node = element("div", { class: "ranges" }, ...limited.map((row) => row.node));
  if (rest.length > 0) {
    const summary = element("summary", {}, `${rest.length} more, without limits in the text`);
    const open = limited.length === 0;
    node.append(element("details", { open }, summary, ...rest.map((row) => row.node)));
  }
  const chosen = () =>
    Object.fromEntries(rows.filter((row) => row.on()).map((row) => [row.knob.name, row.range()]));
  return { node, chosen };
}

interface RangeRow {
  knob: Knob;
  node: HTMLElement;
  on(): boolean;
  range(): Range;
}

function rangeRow(knob: Knob): RangeRow {
  const [low, high] = spanOf(knob);
  const check = element("input", { type: "checkbox", "aria-label": `vary ${knob.name}` });
  check.checked = knob.limits !== null;
  const from = handle(knob, "least", low, low, high);
  const to = handle(knob, "greatest", high, low, high);
  const text = element("span", { class: "range-text muted" });
  const range = (): Range => ordered(Number(from.value), Number(to.value));
  const show = () => {
    const [a, b] = range();
    write(text, `${number(a, 3)} … ${withUnit(number(b, 3), knob.unit)}`);
    node.classList.toggle("off", !check.checked);
    pair.style.setProperty("--a", String((a - low) / (high - low)));
    pair.style.setProperty("--b", String((b - low) / (high - low)));
  };
  const pair = element("span", { class: "pair" }, from, to);
  const label = element("label", {}, check, element("span", { class: "knob-name" }, knob.name));
  const node = element("div", { class: "range-row", title: knob.about ?? "" }, label, pair, text);
  for (const input of [from, to]) {
    input.oninput = () => {
      check.checked = true;
      show();
    };
  }
  check.onchange = show;
  show();
  return { knob, node, on: () => check.checked, range };
}

export function ordered(a: number, b: number): Range {
  return a <= b ? [a, b] : [b, a];
}

function handle(knob: Knob, which: string, value: number, min: number, max: number) {
  const input = element("input", { type: "range", min, max, step: "any" });
  input.value = String(value);
  input.setAttribute("aria-label", `${which} ${knob.name}`);
  return input;
}
