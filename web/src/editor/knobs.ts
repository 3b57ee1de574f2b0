// Everything that can be turned: parameters, inputs, starting values; and a button for each channel.
import type { App } from "../page/app.ts";
import { button, element } from "../page/dom.ts";
import { number, withUnit } from "../page/format.ts";
import { splitName } from "../page/names.ts";
import type { Knob, Model } from "../protocol/messages.ts";
import { Latest } from "../state/latest.ts";

const FEW = 8; // knobs of a kind before the rest is folded away
const STEPS = 400;

/** From where to where a knob goes: its limits, or as far again as it is from zero. */
export function spanOf({ value, limits }: Pick<Knob, "value" | "limits">): [number, number] {
  if (limits) return [limits[0], limits[1]];
  const reach = Math.max(Math.abs(value), 1);
  return [value - reach, value + reach];
}

export function knobs(app: App): HTMLElement {
  const node = element("div", { class: "knobs" });
  let shown: Knobs | null = null;
  app.known.status.on(({ settings }) => settings && shown?.follow(settings));
  app.known.model.on((model) => {
    if (!model) return;
    const same = shown && shown.model.id === model.id && shown.model.text === model.text;
    if (same) return; // said again after a broken link
    shown = new Knobs(model, app);
    node.replaceChildren(...shown.parts);
  });
  return node;
}

interface Turned {
  knob: Knob;
  show(value: number): void;
  /** Is a value on its way? */
  turning(): boolean;
}

class Knobs {
  readonly parts: HTMLElement[];
  private readonly turned: Turned[] = [];

  constructor(
    readonly model: Model,
    private readonly app: App,
  ) {
    this.parts = [
      this.group("Parameters", model.parameters),
      this.group("Inputs", model.inputs),
      this.group("Start", model.starts),
      this.channels(),
    ].filter((part) => part !== null);
  }

  /** Stand where the run that is shown has them, unless a hand is turning. */
  follow(settings: Readonly<Record<string, number>>): void {
    for (const { knob, show, turning } of this.turned) {
      if (!turning()) show(settings[knob.name] ?? knob.value);
    }
  }

  private group(title: string, list: readonly Knob[]): HTMLElement | null {
    if (list.length === 0) return null;
    const rows = list.map((knob) => this.row(knob));
    const first = rows.slice(0, FEW);
    const rest = rows.slice(FEW);
    const more = rest.length
      ? [element("details", {}, element("summary", {}, `${rest.length} more`), ...rest)]
      : [];
    return element("section", {}, element("h3", {}, title), ...first, ...more);
  }

  private row(knob: Knob): HTMLElement {
    const { control, source } = this.app;
    const [low, high] = spanOf(knob);
    const step = (high - low) / STEPS;
    const range = element("input", { type: "range", min: low, max: high, step: "any" });
    range.setAttribute("aria-label", knob.name);
    const field = element("input", { type: "text", inputmode: "decimal", class: "number" });
    field.setAttribute("aria-label", `${knob.name}, as a number`);
    const reset = button({
      label: `back to ${number(knob.value)}`,
      icon: "reset",
      class: "quiet",
      press: () => turn(knob.value),
    });
    const show = (value: number, refused = false) => {
      if (refused || document.activeElement !== range) range.value = String(value);
      if (refused || document.activeElement !== field)
        field.value = number(value).replace("−", "-");
      reset.style.visibility = value === knob.value ? "hidden" : "visible";
      range.setAttribute("aria-valuetext", withUnit(number(value), knob.unit));
    };
    let accepted = knob.value;
    let turning = false;
    const turner = new Latest<number>(
      async (value) => {
        const done = await control.send({ do: "set", values: { [knob.name]: value } });
        if (done) accepted = value;
        else show(accepted, true);
      },
      () => {
        turning = false;
      },
    );
    const turn = (value: number) => {
      turning = true;
      show(value);
      turner.give(value);
    };
    range.oninput = () => turn(rounded(Number(range.value), step));
    range.onkeydown = (event) => nudge(event, range, step * 4, turn);
    field.onchange = () => {
      const value = Number(field.value.replace("−", "-"));
      if (Number.isFinite(value)) turn(value);
      else show(knob.value);
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter") field.blur(); // done: keys are for the page again
    };
    for (const input of [range, field]) input.disabled = !source.live;
    this.turned.push({ knob, show, turning: () => turning });
    show(knob.value);
    const name = element("span", { class: "knob-name" }, splitName(knob.name));
    const unit = element("span", { class: "muted unit" }, knob.unit ?? "");
    const title = [knob.name, knob.about, `from ${number(low)} to ${number(high)}`]
      .filter(Boolean)
      .join("\n");
    return element("div", { class: "knob", title }, name, range, field, unit, reset);
  }

  private channels(): HTMLElement | null {
    const { control, source } = this.app;
    if (this.model.channels.length === 0 || !source.live) return null;
    const all = this.model.channels.map(({ name }) =>
      button({ label: `send ${name}`, text: name, press: () => control.signal(name) }),
    );
    const row = element("div", { class: "channels" }, ...all);
    return element("section", {}, element("h3", {}, "Channels"), row);
  }
}

/** Slider positions as round as the slider is fine. */
export function rounded(value: number, step: number): number {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number(value.toFixed(Math.min(decimals, 12)));
}

function nudge(
  event: KeyboardEvent,
  range: HTMLInputElement,
  step: number,
  turn: (value: number) => void,
): void {
  const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (!sign) return;
  event.preventDefault();
  const value = Number(range.value) + sign * step;
  range.value = String(value);
  turn(rounded(Number(range.value), step / 4));
}
