// One plot: its curves (uPlot), the ghost of the run before, and the names with their values.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { App } from "../page/app.ts";
import { button, element, write } from "../page/dom.ts";
import { measured, number } from "../page/format.ts";
import { splitName } from "../page/names.ts";
import { colour, seriesColour } from "../page/theme.ts";
import { rowAt } from "../source/sorted.ts";
import type { Curves } from "./curves.ts";
import { AXIS, MARGIN, NAMES, scaleOf, ticks } from "./scale.ts";

const NOISE = 1e-10; // a curve that varies by less is drawn as if it did not
const LOW = 64; // px: three names need smaller lines

export interface PlotEvents {
  remove(signal: string): void;
  add(anchor: HTMLElement): void;
}

export class Plot {
  readonly node: HTMLElement;
  private readonly field = element("div", { class: "plot-field" });
  private readonly values = new Map<string, HTMLElement>();
  private chart: uPlot | null = null;
  private curves: Curves;
  private ghost: Curves;

  constructor(
    private readonly app: App,
    readonly signals: readonly string[],
    shown: { curves: Curves; ghost: Curves },
    events: PlotEvents,
  ) {
    this.curves = shown.curves;
    this.ghost = shown.ghost;
    const names = element(
      "ul",
      { class: "names" },
      ...signals.map((s, i) => this.name(s, i, events)),
    );
    const more = button({
      label: "plot one more signal here",
      icon: "add",
      class: "quiet",
      press: () => events.add(more),
    });
    this.node = element("div", { class: "plot" }, element("div", { class: "legend" }, names, more));
    this.node.append(this.field);
    this.node.setAttribute("role", "group");
    this.node.setAttribute("aria-label", `plot of ${signals.join(", ")}`);
  }

  private name(signal: string, index: number, events: PlotEvents): HTMLElement {
    const swatch = element("i", { class: "swatch" });
    swatch.style.background = seriesColour(index);
    const value = element("span", { class: "value" });
    this.values.set(signal, value);
    const remove = () => events.remove(signal);
    const close = button({
      label: `remove ${signal}`,
      icon: "close",
      class: "quiet",
      press: remove,
    });
    const title = `${signal}, ${unitOf(this.app, signal) || "no unit"}`;
    return element(
      "li",
      { title },
      swatch,
      element("span", { class: "signal" }, splitName(signal)),
      value,
      close,
    );
  }

  /** Draw at a size; colours and sizes are those of now. */
  draw(width: number, height: number): void {
    this.chart?.destroy();
    this.field.replaceChildren();
    this.node.style.height = `${height}px`;
    this.node.classList.toggle("low", height < LOW);
    const options = this.options(width - NAMES, height);
    this.chart = new uPlot(options, this.data(), this.field);
  }

  show(curves: Curves, ghost: Curves): void {
    this.curves = curves;
    this.ghost = ghost;
    this.chart?.setData(this.data(), false);
    this.window();
  }

  /** Show the stretch of time that is looked at. */
  window(): void {
    const { from, to } = this.app.view.window.value;
    this.chart?.setScale("x", { min: from, max: to });
  }

  /** The values at the pointer, or at the cursor. */
  tell(): void {
    const { view, subscriptions } = this.app;
    for (const [signal, node] of this.values) {
      const at = view.hover.value;
      const value = at === null ? subscriptions.value(signal) : valueAt(this.curves, signal, at);
      write(node, measured(value, unitOf(this.app, signal)));
    }
  }

  destroy(): void {
    this.chart?.destroy();
  }

  /** The curves, and where the run is by now: histories come a little later than frames. */
  private data(): uPlot.AlignedData {
    const { known, subscriptions } = this.app;
    const { times, values } = this.curves;
    const frame = known.frame.value;
    const behind = frame !== null && !frame.past && frame.time > (times[times.length - 1] ?? 0);
    const curves = this.signals.map((signal) => values.get(signal) ?? []);
    if (!behind || times.length === 0) return [times, ...curves];
    const now = this.signals.map((signal) => subscriptions.value(signal));
    const heads = curves.map((curve, i) => [...curve, Number.isNaN(now[i]) ? null : now[i]!]);
    return [[...times, frame.time], ...heads];
  }

  private options(width: number, height: number): uPlot.Options {
    const grid = { stroke: colour("--line"), width: 1 };
    return {
      width,
      height,
      pxAlign: 0,
      padding: [7, MARGIN, 7, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, auto: false }, y: { range: (_, lo, hi) => this.range(lo, hi) } },
      axes: [
        {
          show: true,
          size: 0,
          grid,
          ticks: { show: false },
          values: () => [],
          splits: () => ticks(scaleOf(this.app.view.window.value, width + NAMES)).times,
        },
        {
          size: AXIS,
          gap: 4,
          stroke: colour("--muted"),
          font: `12px ${getComputedStyle(document.body).fontFamily}`,
          grid,
          ticks: { show: false },
          splits: (_, __, low, high) => marksIn(low, high, height),
          values: (_, splits) => marked(splits, (splits[1] ?? 1) - (splits[0] ?? 0)),
        },
      ],
      series: [
        {},
        ...this.signals.map((label, i) => {
          return {
            label,
            stroke: seriesColour(i),
            width: 1.6,
            pxAlign: 0,
            points: { show: false },
          };
        }),
      ],
      hooks: { drawClear: [(chart) => this.drawGhost(chart)], ready: [() => this.window()] },
    };
  }

  /** Room above and below; a constant gets a band of its own size. */
  private range(least: number | null, greatest: number | null): [number, number] {
    let [low, high] = [least ?? Number.POSITIVE_INFINITY, greatest ?? Number.NEGATIVE_INFINITY];
    for (const signal of this.signals) {
      for (const value of this.ghost.values.get(signal) ?? []) {
        if (value === null) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    return padded(low, high);
  }

  private drawGhost(chart: uPlot): void {
    const { ctx } = chart;
    ctx.save();
    ctx.globalAlpha = 0.45;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.lineWidth = 1.4 * devicePixelRatio;
    for (const [i, signal] of this.signals.entries()) {
      const values = this.ghost.values.get(signal) ?? [];
      ctx.strokeStyle = seriesColour(i);
      ctx.beginPath();
      for (const [k, time] of this.ghost.times.entries()) {
        const value = values[k];
        if (value === null || value === undefined) continue;
        ctx.lineTo(chart.valToPos(time, "x", true), chart.valToPos(value, "y", true));
      }
      ctx.stroke();
    }
    ctx.restore();
  }
}

const APART = 26; // px between marks, about
const LEAST_APART = 14; // px, so that they can be read

/** Round numbers from `low` to `high`: at least two, however little room there is. */
export function marksIn(low: number, high: number, height: number): number[] {
  const wanted = Math.max(2, Math.floor(height / APART));
  let power = 10 ** Math.floor(Math.log10(high - low));
  for (;;) {
    for (const round of [5, 2.5, 2, 1]) {
      const step = round * power;
      const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
      const count = last - first + 1;
      if (count < wanted) continue;
      const crowded = ((high - low) / step) * LEAST_APART > height;
      const each = crowded && count > 2 ? 2 : 1;
      return Array.from({ length: Math.ceil(count / each) }, (_, i) => (first + each * i) * step);
    }
    power /= 10;
  }
}

/** The marks of an axis, with as many digits as tell them apart. */
export function marked(splits: readonly number[], step: number): string[] {
  const largest = Math.max(step, ...splits.map(Math.abs));
  const digits = Math.ceil(Math.log10(largest / step)) + 2;
  return splits.map((value) => number(value, digits));
}

export function padded(low: number, high: number): [number, number] {
  if (low > high) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size < NOISE) return [-0.58, 0.58];
  const width = Math.max(high - low, 1e-2 * size);
  const middle = (low + high) / 2;
  return [middle - 0.58 * width, middle + 0.58 * width];
}

export function unitOf({ known }: App, signal: string): string {
  return known.model.value?.signals.find(({ name }) => name === signal)?.unit ?? "";
}

/** The value of a curve at a time, by its last row there. */
export function valueAt(curves: Curves, signal: string, time: number): number {
  const { times, values } = curves;
  if (times.length === 0 || time > times[times.length - 1]!) return Number.NaN;
  return values.get(signal)?.[rowAt(times, time)] ?? Number.NaN;
}
