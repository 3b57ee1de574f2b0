// Up to four plots, one under the other.
import type { App } from "../page/app.ts";
import { button, element } from "../page/dom.ts";
import { theme } from "../page/theme.ts";
import { painter } from "../state/cell.ts";
import { MOST_PLOTS } from "../state/view.ts";
import { Plotted } from "./curves.ts";
import { Plot } from "./plot.ts";
import { GUTTER, MARGIN } from "./scale.ts";
import { searchSignal } from "./search.ts";

const HEAD_EVERY = 60; // ms

export interface PlotsView {
  node: HTMLElement;
  /** Opens a new plot. */
  adder: HTMLButtonElement;
}

export function plotsView(app: App): PlotsView {
  const { known, view, subscriptions } = app;
  const node = element("div", { class: "plots" });
  const plotted = new Plotted(app.source, known, view);
  let plots: Plot[] = [];
  const tell = painter(() => {
    for (const plot of plots) plot.tell();
  });
  const size = painter(() => {
    const height = Math.floor(node.clientHeight / Math.max(1, plots.length));
    if (height < 20) return;
    for (const plot of plots) plot.draw(node.clientWidth, height);
    plotted.show(signalsOf(app), Math.max(50, node.clientWidth - GUTTER - MARGIN));
    tell();
  });
  const rebuild = () => {
    for (const plot of plots) plot.destroy();
    const shown = { curves: plotted.curves.value, ghost: plotted.ghost.value };
    plots = view.plots.value.map((signals, i) => new Plot(app, signals, shown, changes(app, i)));
    node.replaceChildren(...plots.map((plot) => plot.node));
    subscriptions.want("plots", signalsOf(app));
    adder.disabled = plots.length >= MOST_PLOTS;
    size();
  };
  const show = painter(() => {
    for (const plot of plots) plot.show(plotted.curves.value, plotted.ghost.value);
  });
  const adder = button({
    label: "new plot",
    icon: "add",
    text: "plot",
    class: "quiet",
    press: () => searchSignal(app, adder, (name) => view.plots.set([...view.plots.value, [name]])),
  });
  view.plots.on(rebuild);
  theme.on(rebuild);
  plotted.curves.on(show);
  plotted.ghost.on(show);
  let shown = 0; // when the head of the curves was drawn last, ms
  known.frame.on((frame) => {
    const now = performance.now();
    if (!frame || frame.past || now - shown < HEAD_EVERY) return;
    shown = now;
    show();
  });
  view.window.on(
    painter(() => {
      for (const plot of plots) plot.window();
    }),
  );
  view.hover.on(tell);
  known.frame.on(tell);
  new ResizeObserver(size).observe(node);
  return { node, adder };
}

function signalsOf({ view }: App): string[] {
  return [...new Set(view.plots.value.flat())];
}

/** What the buttons of the n-th plot do. */
function changes(app: App, n: number) {
  const { view } = app;
  const replace = (signals: readonly string[]) =>
    view.plots.set(
      view.plots.value.map((old, i) => (i === n ? signals : old)).filter((plot) => plot.length > 0),
    );
  return {
    remove: (signal: string) => replace(view.plots.value[n]!.filter((name) => name !== signal)),
    add: (anchor: HTMLElement) =>
      searchSignal(app, anchor, (name) => {
        const now = view.plots.value[n]!;
        if (!now.includes(name)) replace([...now, name]);
      }),
  };
}
