// The parameter map: over one or two names; a click plays that point.
import { spanOf } from "../editor/knobs.ts";
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { number } from "../page/format.ts";
import { colour, seriesColour } from "../page/theme.ts";
import type { MapAxis, Model, ParameterMap } from "../protocol/messages.ts";
import { clear, sheet } from "../timeline/canvas.ts";
import { Work } from "./falsify.ts";
import { gridOf, indexOf, pointAt } from "./grid.ts";
import { variables } from "./ranges.ts";

const NONE = "";
const SIGNS = ["", "●", "×", "+", "▲", "■", "◆"]; // beside the colour: never by hue alone
const SIZE = 380; // px

export function mapView(model: Model, app: App): HTMLElement[] {
  const { control, known } = app;
  const names = variables(model);
  if (names.length === 0) return [element("p", { class: "muted" }, "Nothing can be varied here.")];
  const across = axisRow("across", model, false);
  const up = axisRow("upwards", model, true);
  const drawn = sheet("map-sheet");
  const legend = element("div", { class: "map-legend" });
  const under = element("div", { class: "muted" });
  const work = new Work(app);
  let map: ParameterMap | null = null;
  known.map.on((found) => {
    if (!found || !work.is(found.re)) return;
    map = found;
    paint(drawn, legend, found);
    if (found.values.every((value) => value !== null)) work.ends(found.re);
  });
  const at = (event: MouseEvent) => {
    const { left, top, width, height } = drawn.canvas.getBoundingClientRect();
    const x = (event.clientX - left) / width;
    return map && pointAt(map.over, x, 1 - (event.clientY - top) / height);
  };
  drawn.canvas.onmousemove = (event) => {
    const point = at(event);
    const values = Object.entries(point?.values ?? {}).map(([n, v]) => `${n} = ${number(v)}`);
    const found = point ? (map?.values[point.index] ?? "not computed yet") : "";
    write(under, point ? `${values.join(", ")}: ${found}` : "");
  };
  drawn.canvas.onclick = (event) => {
    const point = at(event);
    if (!point) return;
    control.set(point.values, 0);
    void control.send({ do: "play" });
  };
  const start = () => {
    const over = [across.axis(), up.axis()].filter((axis) => axis !== null);
    if (over.length > 0) void work.start({ do: "map", over });
  };
  return [
    across.node,
    up.node,
    work.buttons("draw the map", start),
    drawn.canvas,
    under,
    legend,
    element("p", { class: "muted" }, "A click plays that point."),
  ];
}

/** One direction of the map: a name, its range, and how many points. */
function axisRow(label: string, model: Model, optional: boolean) {
  const list = variables(model);
  const limited = list.filter((knob) => knob.limits);
  const select = element("select", { "aria-label": `Name ${label}` });
  if (optional) select.append(element("option", { value: NONE }, "nothing"));
  select.append(...list.map(({ name }) => element("option", { value: name }, name)));
  select.value = (optional ? limited[1]?.name : (limited[0] ?? list[0])?.name) ?? NONE;
  const field = (what: string) => {
    const input = element("input", { type: "text", inputmode: "decimal", class: "number" });
    input.setAttribute("aria-label", `${what} ${label}`);
    return input;
  };
  const [low, high, count] = [field("from"), field("to"), field("points")];
  count.value = optional ? "12" : "24";
  const fill = () => {
    const knob = list.find(({ name }) => name === select.value);
    const [a, b] = knob ? spanOf(knob) : [0, 1];
    low.value = String(a);
    high.value = String(b);
  };
  select.onchange = fill;
  fill();
  const axis = (): MapAxis | null =>
    select.value === NONE
      ? null
      : {
          name: select.value,
          lo: Number(low.value),
          hi: Number(high.value),
          n: Math.max(1, Math.round(Number(count.value))),
        };
  const node = element("div", { class: "axis-row" }, element("span", {}, label), select, low, high);
  node.append(count);
  return { node, axis };
}

function paint(
  drawn: ReturnType<typeof sheet>,
  legend: HTMLElement,
  { over, values, legend: words }: ParameterMap,
): void {
  const { columns, rows } = gridOf(over);
  const [w, h] = [SIZE / columns, rows > 1 ? Math.min(SIZE / columns, 260 / rows) : 40];
  clear(drawn, SIZE, h * rows);
  const kinds = [...new Set(values.filter((value) => value !== null))].sort();
  const { pen } = drawn;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "12px sans-serif";
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const value = values[indexOf(over, i, j)] ?? null;
      const kind = value === null ? -1 : kinds.indexOf(value);
      const y = h * (rows - 1 - j);
      pen.fillStyle = kind < 0 ? colour("--line") : seriesColour(kind);
      pen.fillRect(i * w, y, w - 0.5, h - 0.5);
      pen.fillStyle = "#ffffff";
      if (w > 10 && h > 10 && kind >= 0) pen.fillText(SIGNS[kind % 7]!, i * w + w / 2, y + h / 2);
    }
  }
  legend.replaceChildren(
    ...kinds.map((kind, k) => {
      const swatch = element("i", {}, SIGNS[k % 7]!);
      swatch.style.background = seriesColour(k);
      return element("span", {}, swatch, words?.[kind] ?? kind);
    }),
  );
}
