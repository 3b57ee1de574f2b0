// A proof: the ranges are divided, and boxes are coloured as they are decided; a click plays there.
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { number } from "../page/format.ts";
import { colour, seriesColour, theme } from "../page/theme.ts";
import type { Model, ProvedBox, ProvedBoxes, Reach } from "../protocol/messages.ts";
import type { Ear } from "../state/cell.ts";
import { clear } from "../timeline/canvas.ts";
import { areaOf, boxAt, numbersAt } from "./boxes.ts";
import { Field, SIZE } from "./field.ts";
import { NO_PROPERTY, propertyChoice } from "./property.ts";
import { ranges } from "./ranges.ts";
import { verdictView, Work } from "./work.ts";

const HIGH = { 1: 40, 2: 260 }; // px, over so many names
const SIGN = 14; // px: smaller boxes have no sign
const LOOKS = {
  safe: { ink: () => seriesColour(0), sign: "", word: "safe for all numbers inside" },
  unsafe: { ink: () => seriesColour(1), sign: "×", word: "broken by all numbers inside" },
  open: { ink: () => colour("--muted"), sign: "?", word: "open" },
};

export function proveView(model: Model, app: App, heard: Ear): HTMLElement[] {
  const { control, known } = app;
  if (model.properties.length === 0) return [element("p", { class: "muted" }, NO_PROPERTY)];
  const property = propertyChoice(model);
  const varied = ranges(model);
  const time = element("input", { type: "number", min: 1, max: 900, value: 60 });
  time.setAttribute("aria-label", "Seconds at most");
  const result = element("div", { class: "result", role: "status" });
  const work = new Work(app, heard);
  const picture = new ProofPicture(model, (values) => {
    control.set(values, 0);
    void control.send({ do: "play" });
  });
  heard.on(known.boxes, (found) => found && work.is(found.re) && picture.add(found));
  heard.on(known.verdict, (verdict) => {
    if (verdict && work.ends(verdict.re)) result.replaceChildren(...verdictView(verdict, app));
  });
  heard.on(theme, () => picture.draw());
  const start = () => {
    result.replaceChildren();
    const asked = { property: property.chosen(), ranges: varied.chosen() };
    void work.start({ do: "prove", ...asked, seconds: Number(time.value) });
  };
  return [
    ...property.nodes,
    element("h3", {}, "For all numbers from … to …"),
    varied.node,
    element("div", { class: "line" }, element("span", {}, "seconds at most"), time),
    work.buttons("prove it", start),
    result,
    picture.node,
  ];
}

class ProofPicture {
  private readonly field: Field;
  private re = -1;
  private over: readonly Reach[] = [];
  private boxes: ProvedBox[] = [];

  constructor(
    model: Model,
    private readonly play: (values: Record<string, number>) => void,
  ) {
    const hint = "Every number in a box is proved; a click plays the run there.";
    this.field = new Field(model, "what is proved of the ranges", hint);
    const { canvas } = this.field.drawn;
    canvas.onmousemove = (event) => this.tell(this.numbersOf(event));
    canvas.onclick = (event) => this.play(this.named(this.numbersOf(event)));
  }

  get node(): HTMLElement {
    return this.field.node;
  }

  /** More boxes, or the first ones of another proof. */
  add({ re, over, boxes }: ProvedBoxes): void {
    if (re !== this.re) this.boxes = [];
    this.re = re;
    this.over = over;
    this.boxes.push(...boxes);
    if (over.length !== 1 && over.length !== 2) {
      this.field.node.hidden = true; // nothing that a picture could show
      return;
    }
    this.field.show(over);
    this.draw();
  }

  draw(): void {
    const high = HIGH[this.over.length as keyof typeof HIGH];
    if (!high) return;
    const { drawn } = this.field;
    clear(drawn, SIZE, high);
    const { pen } = drawn;
    pen.fillStyle = colour("--line"); // not looked at yet
    pen.fillRect(0, 0, SIZE, high);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = "12px sans-serif";
    for (const box of this.boxes) {
      const { x, y, w, h } = areaOf(box, this.over, SIZE, high);
      const { ink, sign } = LOOKS[box.verdict];
      pen.fillStyle = ink();
      pen.fillRect(x, y, w > 2 ? w - 0.5 : w, h > 2 ? h - 0.5 : h);
      pen.fillStyle = "#ffffff";
      if (sign && w > SIGN && h > SIGN) pen.fillText(sign, x + w / 2, y + h / 2);
    }
    this.field.explain(
      Object.values(LOOKS).map(({ ink, sign, word }) => ({ colour: ink(), sign, word })),
    );
  }

  private numbersOf(event: MouseEvent): number[] {
    return numbersAt(this.over, this.field.place(event));
  }

  private named(numbers: readonly number[]): Record<string, number> {
    return Object.fromEntries(this.over.map(({ name }, k) => [name, numbers[k]!]));
  }

  private tell(numbers: readonly number[]): void {
    const values = this.over.map(({ name }, k) => `${name} = ${number(numbers[k]!)}`);
    const box = boxAt(this.boxes, numbers);
    const why = box?.why ? `: ${box.why}` : "";
    const found = box ? `${box.verdict}${why}` : "not decided yet";
    write(this.field.under, `${values.join(", ")}: ${found}`);
  }
}
