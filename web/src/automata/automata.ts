// The pane of automata: one diagram per component, by tabs, and all of them at once.
import "../style/automata.css";
import { actionButton } from "../page/actions.ts";
import type { App } from "../page/app.ts";
import { button, element, press, write } from "../page/dom.ts";
import { commonOf } from "../page/names.ts";
import type { Automaton, Component, Model } from "../protocol/messages.ts";
import { World } from "../scene/world.ts";
import { Cell, onAny, painter } from "../state/cell.ts";
import { Diagram } from "./diagram.ts";
import { exploring, LARGE } from "./explore.ts";
import { graphOf } from "./graph.ts";

const ALL = "all";
const FEW = 4; // components that go on one page
const FLASHED = 0.5; // s of the run: what is passed in a longer jump does not flash

/** One component as it is drawn. */
export interface Drawn {
  component: Component;
  diagram: Diagram;
  /** Show the location at the time that is shown. */
  locate(): void;
}

export function fillAutomata(pane: HTMLElement, app: App): void {
  const { known, view } = app;
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Components" });
  const body = element("div", { class: "diagrams" });
  let drawn: Drawn[] = [];
  const fit = button({
    label: "show all of the diagram",
    icon: "fit",
    class: "quiet",
    press: () => {
      for (const { diagram } of drawn) diagram.showAll();
    },
  });
  const head = element("div", { class: "head" }, tabs, element("span", { class: "fill" }), fit);
  if (app.source.live) head.insertBefore(choosing(app), fit);
  pane.append(head, body);
  const open = () => {
    const model = known.model.value;
    drawn = (model?.components ?? []).map((component) => draw(component, app));
    view.component.set(firstTab(model));
    choose();
  };
  const choose = () => {
    const chosen = view.component.value;
    const shown = drawn.filter(({ component }) => chosen === ALL || component.name === chosen);
    body.replaceChildren(
      ...shown.map(({ component, diagram }) => {
        const title = element("h3", {}, component.name);
        return element("div", { class: "one" }, ...(shown.length > 1 ? [title] : []), diagram.node);
      }),
    );
    fillTabs(tabs, drawn, app);
    show();
  };
  const show = painter(() => {
    for (const one of drawn) one.locate();
    markEdges(drawn, app);
    tellTabs(tabs, app);
  });
  let before = 0;
  known.time.on((time) => {
    if (time > before && time - before < FLASHED) flashBetween(drawn, before, time, app);
    before = time;
    show();
  });
  known.model.on(open);
  view.component.on(choose);
  onAny([known.lanes, known.enabled], show);
}

/** The switch between choices by rule and choices by hand; only networks have choices. */
function choosing({ known, control, actions }: App): HTMLElement {
  const asking = new Cell(false);
  const run = () => asking.set(!asking.value);
  const action = actions.add({
    label: "ask me where there is a choice",
    key: "a",
    group: "model",
    run,
  });
  const node = actionButton(action, { text: "ask", class: "quiet" });
  asking.see((on) => press(node, on));
  asking.on((on) => void control.send({ do: "choice", how: on ? "ask" : "priority" }));
  known.model.see((model) => {
    node.hidden = !model?.components.some((component) => component.kind === "automaton");
  });
  return node;
}

/** All of them where the diagrams have the place of the scene; else what the text says most about. */
export function firstTab(model: Model | null): string | null {
  const components = model?.components ?? [];
  const roomy = model !== null && !World.shows(model) && components.length <= FEW;
  if (components.length > 1 && roomy && components.every((one) => sizeOf(one) <= 8)) return ALL;
  const automata = components.filter((component) => component.kind === "automaton");
  const largest = Math.max(...automata.map((automaton) => automaton.edges.length));
  const chosen = automata.find((automaton) => automaton.edges.length === largest);
  return (chosen ?? components[0])?.name ?? null;
}

function sizeOf(component: Component): number {
  return component.kind === "automaton" ? component.locations.length : 1;
}

function draw(component: Component, app: App): Drawn {
  const take = (edge: string) => app.control.take(component.name, edgeId(component, edge));
  const diagram = new Diagram(`automaton ${component.name}`, take);
  if (component.kind === "bodies" || component.locations.length > LARGE) {
    return { component, diagram, locate: exploring(component, diagram, app) };
  }
  void diagram.show(graphOf(component));
  const locate = () => diagram.activate(locationOf(component, app));
  return { component, diagram, locate };
}

/** The server's own name of an edge: numbers stay numbers. */
function edgeId(component: Component, edge: string): string | number {
  if (component.kind !== "automaton") return edge;
  return component.edges.find(({ id }) => String(id) === edge)?.id ?? edge;
}

function locationOf(component: Automaton, { known }: App): string | null {
  const { name, initial } = component;
  return known.lanes.value.valueAt(name, known.time.value) ?? initial ?? null;
}

function fillTabs(tabs: HTMLElement, drawn: readonly Drawn[], { view }: App): void {
  const names = drawn.map(({ component }) => component.name);
  const short = shortTabs(names);
  const all = names.length > 1 && names.length <= 2 * FEW ? [ALL, ...names] : names;
  tabs.replaceChildren(
    ...all.map((name) => {
      const selected = view.component.value === name;
      const now = element("span", { class: "muted now" });
      const tab = element(
        "button",
        { type: "button", role: "tab" },
        element("span", {}, short(name)),
        now,
      );
      tab.setAttribute("aria-selected", String(selected));
      if (short(name) !== name) tab.title = name;
      tab.setAttribute("aria-label", name);
      tab.dataset.component = name;
      tab.tabIndex = selected ? 0 : -1;
      tab.onclick = () => view.component.set(name);
      tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        view.component.set(all[(all.indexOf(name) + step + all.length) % all.length]!);
        tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
      };
      return tab;
    }),
  );
}

const ROOM = 36; // letters on all tabs together, in the narrow pane

/** Many long names: without what they all begin with. */
export function shortTabs(names: readonly string[]): (name: string) => string {
  const { before } = commonOf(names);
  const long = names.join("").length > ROOM && before > 0;
  return (name) => (long && names.includes(name) ? `…${name.slice(before)}` : name);
}

/** Each tab says where its component is. */
function tellTabs(tabs: HTMLElement, { known }: App): void {
  for (const tab of tabs.querySelectorAll<HTMLElement>("[data-component]")) {
    const name = tab.dataset.component ?? "";
    const location = known.lanes.value.valueAt(name, known.time.value) ?? "";
    write(tab.querySelector(".now")!, location);
  }
}

function markEdges(drawn: readonly Drawn[], { known }: App): void {
  const { edges = [], ahead = [] } = known.enabled.value ?? {};
  const time = known.time.value;
  for (const { component, diagram } of drawn) {
    const own = edges.filter((edge) => edge.component === component.name);
    const soon = ahead.flatMap(({ component: whose, edge, at }) =>
      whose === component.name && edge !== undefined && at >= time
        ? [[String(edge), at - time] as const]
        : [],
    );
    diagram.mark({
      enabled: new Map(own.map(({ edge, choose }) => [String(edge), choose])),
      ahead: new Map(soon),
    });
  }
}

function flashBetween(drawn: readonly Drawn[], from: number, to: number, { known }: App): void {
  const events = known.events.value;
  for (let i = events.length - 1; i >= 0 && events[i]!.time > from; i--) {
    if (events[i]!.time > to) continue;
    for (const { component, edge } of events[i]!.edges ?? []) {
      drawn.find((one) => one.component.name === component)?.diagram.flash(String(edge));
    }
  }
}
