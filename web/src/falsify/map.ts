// The parameter map: over one or two names; a click plays that point.
import { spanOf } from "../editor/knobs.ts";
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { number } from "../page/format.ts";
import { colour, seriesColour, theme } from "../page/theme.ts";
import type { MapAxis, Model, ParameterMap } from "../protocol/messages.ts";
import type { Ear } from "../state/cell.ts";
import { clear } from "../timeline/canvas.ts";
import { Field, SIZE } from "./field.ts";
import { gridOf, indexOf, moved, numbered, type Point, pointAt } from "./grid.ts";
import { variables } from "./ranges.ts";
import { Work } from "./work.ts";

const NONE = "";
const SIGNS = ["", "●", "×", "+", "▲", "■", "◆"]; // beside the colour: never by hue alone
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
};

export function mapView(model: Model, app: App, heard: Ear): HTMLElement[] {
  const { control, known } = app;
  if (variables(model).length === 0)
    return [element("p", { class: "muted" }, "Nothing can be varied here.")];
  const across = axisRow("across", model, false);
  const up = axisRow("upwards", model, true);
  const work = new Work(app, heard);
  const picture = new MapPicture(model, (values) => {
    control.set(values, 0);
    void control.send({ do: "play" });
  });
  heard.on(known.map, (found) => {
    if (!found || !work.is(found.re)) return;
    picture.show(found);
    if (found.values.every((value) => value !== null)) work.ends(found.re);
  });
  heard.on(known.verdict, (verdict) => verdict && work.ends(verdict.re, verdict.text));
  heard.on(theme, () => picture.draw());
  const start = () => {
    const over = [across.axis(), up.axis()].filter((axis) => axis !== null);
    if (over.length > 0) void work.start({ do: "map", over });
  };
  return [across.node, up.node, work.buttons("draw the map", start), picture.node];
}

/** The map itself: a field for each point, one of which is chosen by pointer or arrows. */
class MapPicture {
  private readonly field: Field;
  private map: ParameterMap | null = null;
  private chosen: Point | null = null;

  constructor(
    model: Model,
    private readonly play: (values: Record<string, number>) => void,
  ) {
    const label = "map of behaviours: arrows choose a point, Enter plays it";
    this.field = new Field(model, label, "A click or Enter plays that point.");
    const { canvas } = this.field.drawn;
    canvas.onmousemove = (event) => this.choose(this.pointOf(event));
    canvas.onclick = (event) => this.take(this.pointOf(event));
    canvas.onkeydown = (event) => this.key(event);
  }

  get node(): HTMLElement {
    return this.field.node;
  }

  show(map: ParameterMap): void {
    if (map.re !== this.map?.re) this.chosen = null;
    this.map = map;
    this.field.show(map.over);
    this.draw();
  }

  draw(): void {
    if (!this.map) return;
    paint(this.field, this.map, this.chosen);
    const values = Object.entries(this.chosen?.values ?? {}).map(([n, v]) => `${n} = ${number(v)}`);
    const found = this.map.values[this.chosen?.index ?? -1] ?? "not computed yet";
    write(this.field.under, this.chosen ? `${values.join(", ")}: ${found}` : "\u00a0");
  }

  private pointOf(event: MouseEvent): Point | null {
    return this.map && pointAt(this.map.over, ...this.field.place(event));
  }

  private choose(point: Point | null): void {
    if (point?.index === this.chosen?.index) return;
    this.chosen = point;
    this.draw();
  }

  private take(point: Point | null): void {
    this.choose(point);
    if (point) this.play(point.values);
  }

  private key(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    if (!this.map || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation(); // the arrows of the page go from event to event
    if (step) this.choose(moved(this.map.over, this.chosen, step));
    else this.take(this.chosen);
  }
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
  field: Field,
  { over, values, legend: words }: ParameterMap,
  chosen: Point | null,
): void {
  const { drawn } = field;
  const { columns, rows } = gridOf(over);
  const [w, h] = [SIZE / columns, rows > 1 ? Math.min(SIZE / columns, 260 / rows) : 40];
  clear(drawn, SIZE, h * rows);
  const kinds = numbered(values);
  const { pen } = drawn;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "12px sans-serif";
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const value = values[indexOf(over, i, j)] ?? null;
      const kind = value === null ? -1 : (kinds.get(value) ?? -1);
      const y = h * (rows - 1 - j);
      pen.fillStyle = kind < 0 ? colour("--line") : seriesColour(kind);
      pen.fillRect(i * w, y, w - 0.5, h - 0.5);
      pen.fillStyle = "#ffffff";
      if (w > 10 && h > 10 && kind >= 0) pen.fillText(SIGNS[kind % 7]!, i * w + w / 2, y + h / 2);
    }
  }
  if (chosen) {
    pen.strokeStyle = colour("--text");
    pen.lineWidth = 2;
    pen.strokeRect(chosen.i * w + 1, h * (rows - 1 - chosen.j) + 1, w - 2, h - 2);
  }
  field.explain(
    [...kinds].map(([kind, k]) => ({
      colour: seriesColour(k),
      sign: SIGNS[k % 7]!,
      word: words?.[kind] ?? kind,
    })),
  );
}
