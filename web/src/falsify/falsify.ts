// Falsify and map in the page: choose, start, watch it work, cancel; play the witness or a point.
import "../style/falsify.css";
import type { App } from "../page/app.ts";
import { button, element, write } from "../page/dom.ts";
import { number, seconds } from "../page/format.ts";
import { type Panel, panel } from "../page/panel.ts";
import type { Model, Verdict } from "../protocol/messages.ts";
import { Refused } from "../source/source.ts";
import { Cell, Ear } from "../state/cell.ts";
import { mapView } from "./map.ts";
import { ranges } from "./ranges.ts";

const TITLES = { falsify: "break a property", map: "map of behaviours" };
type Tab = keyof typeof TITLES;

/** Both views stay as they are until there is another text: work goes on, and its end is told. */
export function falsifying(app: App): Panel {
  const made = panel("Falsify", "falsify", () => {});
  const chosen = new Cell<Tab>("falsify");
  const bar = element("div", { class: "tabs", role: "tablist" });
  const body = element("div");
  made.node.append(bar, body);
  for (const name of Object.keys(TITLES) as Tab[]) {
    const tab = element("button", { type: "button", role: "tab" }, TITLES[name]);
    tab.onclick = () => chosen.set(name);
    chosen.see((now) => tab.setAttribute("aria-selected", String(now === name)));
    bar.append(tab);
  }
  let heard = new Ear();
  let shown: Model | null = null;
  app.known.model.on((model) => {
    if (!model || (shown?.text === model.text && shown.name === model.name)) return;
    shown = model;
    heard.close();
    heard = new Ear();
    const views = {
      falsify: element("div", { class: "falsify-body" }, ...searchView(model, app, heard)),
      map: element("div", { class: "falsify-body" }, ...mapView(model, app, heard)),
    };
    body.replaceChildren(views.falsify, views.map);
    heard.see(chosen, (now) => {
      for (const name of Object.keys(views) as Tab[]) views[name].hidden = name !== now;
    });
  });
  return made;
}

function searchView(model: Model, app: App, heard: Ear): HTMLElement[] {
  if (model.properties.length === 0) {
    const text = "This model has no property to break. Write one: property low: always ball.y > 0";
    return [element("p", { class: "muted" }, text)];
  }
  const property = element("select", { "aria-label": "Property" });
  const formula = element("code", { class: "formula" });
  property.append(...model.properties.map(({ name }) => element("option", { value: name }, name)));
  const tell = () =>
    write(formula, model.properties.find(({ name }) => name === property.value)?.text ?? "");
  property.onchange = tell;
  tell();
  const varied = ranges(model);
  const runs = element("input", { type: "number", min: 1, max: 100000, value: 2000 });
  runs.setAttribute("aria-label", "Runs at most");
  const result = element("div", { class: "result", role: "status" });
  const work = new Work(app, heard);
  const start = () => {
    result.replaceChildren();
    const asked = {
      do: "falsify" as const,
      property: property.value,
      ranges: varied.chosen(),
      runs: Number(runs.value),
    };
    void work.start(asked);
  };
  heard.on(app.known.verdict, (verdict) => {
    if (verdict && work.ends(verdict.re)) result.replaceChildren(...verdictView(verdict, app));
  });
  return [
    element("div", { class: "line" }, element("span", {}, "property"), property),
    formula,
    element("h3", {}, "Vary"),
    varied.node,
    element("div", { class: "line" }, element("span", {}, "runs at most"), runs),
    work.buttons("search for a violation", start),
    result,
  ];
}

/** A piece of work on the server: its button, its progress, and how it is stopped. */
export class Work {
  private id: number | null = null;
  private readonly bar = element("progress", { max: 1 });
  private readonly text = element("span", { class: "muted" });
  private readonly row = element("div", { class: "progress" }, this.bar, this.text);
  private starter: HTMLButtonElement | null = null;
  private stopper: HTMLButtonElement | null = null;

  constructor(
    private readonly app: App,
    heard: Ear,
  ) {
    heard.on(app.known.progress, (progress) => {
      if (!progress || progress.re !== this.id) return;
      if (progress.total) this.bar.value = progress.done / progress.total;
      else this.bar.removeAttribute("value");
      write(this.text, progress.text);
    });
    heard.on(app.known.link, (up) => up || this.stop(""));
  }

  buttons(label: string, start: () => void): HTMLElement {
    this.starter = button({ label, text: label, class: "main", press: start });
    this.stopper = button({ label: "stop the search", text: "cancel", press: () => this.cancel() });
    this.show(false);
    return element("div", { class: "work" }, this.starter, this.stopper, this.row);
  }

  async start(asked: Parameters<App["source"]["ask"]>[0]): Promise<void> {
    this.show(true);
    write(this.text, "starting …");
    this.bar.removeAttribute("value");
    try {
      this.id = (await this.app.source.ask(asked)).re;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.stop(error.message);
    }
  }

  /** Was this the end of the present work? Then there is none any more, but what is said of it. */
  ends(re: number, text = ""): boolean {
    if (re !== this.id) return false;
    this.stop(text);
    return true;
  }

  is(re: number): boolean {
    return re === this.id;
  }

  private cancel(): void {
    if (this.id !== null) void this.app.control.send({ do: "cancel", id: this.id });
    this.stop("cancelled");
  }

  private stop(text: string): void {
    this.id = null;
    this.show(false);
    write(this.text, text);
    this.row.hidden = text === "";
    this.bar.hidden = true;
  }

  private show(working: boolean): void {
    this.row.hidden = !working;
    this.bar.hidden = !working;
    if (this.starter) this.starter.disabled = working;
    if (this.stopper) this.stopper.hidden = !working;
  }
}

const WORDS: Record<string, [string, string]> = {
  unsafe: ["bad", "broken"],
  not_found: ["warn", "no violation found"],
  safe: ["good", "safe"],
  unknown: ["warn", "undecided"],
};

function verdictView(verdict: Verdict, { control }: App): HTMLElement[] {
  const [tone, word] = WORDS[verdict.verdict] ?? ["warn", verdict.verdict];
  const title = element("b", { class: `verdict ${tone}` }, word);
  const parts = [element("div", {}, title, " ", verdict.text)];
  const { witness } = verdict;
  if (!witness) return parts;
  const values = Object.entries(witness.parameters).map(
    ([name, value]) => `${name} = ${number(value)}`,
  );
  const at = `at ${seconds(witness.time)} with ${values.join(", ")}`;
  const play = button({
    label: "play the run that breaks it",
    text: "play the witness",
    class: "main",
    press: () =>
      void control.open({ witness: witness.id }).then(() => control.send({ do: "play" })),
  });
  return [...parts, element("div", { class: "muted" }, at), play];
}
