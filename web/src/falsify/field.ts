// A field over one or two names: what a map and a proof are drawn on.
import { element } from "../page/dom.ts";
import { number } from "../page/format.ts";
import type { Model, Reach } from "../protocol/messages.ts";
import { sheet } from "../timeline/canvas.ts";
import { variables } from "./ranges.ts";

export const SIZE = 320; // px

export class Field {
  readonly node: HTMLElement;
  readonly drawn = sheet("map-sheet");
  private readonly legend = element("div", { class: "map-legend" });
  /** What is under the pointer, in words. */
  readonly under = element("div", { class: "map-point", role: "status" });
  private readonly left = element("div", { class: "map-up muted" });
  private readonly below = element("div", { class: "map-across muted" });

  constructor(
    private readonly model: Model,
    label: string,
    hint: string,
  ) {
    const { canvas } = this.drawn;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", label);
    const field = element("div", { class: "map-field" }, this.left, canvas, this.below);
    const about = element("p", { class: "muted" }, hint);
    this.node = element("div", { class: "map" }, field, this.under, this.legend, about);
    this.node.hidden = true;
  }

  show([x, y]: readonly Reach[]): void {
    this.node.hidden = false;
    this.below.replaceChildren(...(x ? this.marks(x) : []));
    this.left.replaceChildren(...(y ? this.marks(y).reverse() : []));
  }

  /** Where a pointer is, both from 0 to 1, upwards. */
  place(event: MouseEvent): [number, number] {
    const { left, top, width, height } = this.drawn.canvas.getBoundingClientRect();
    return [(event.clientX - left) / width, 1 - (event.clientY - top) / height];
  }

  explain(words: readonly { colour: string; sign: string; word: string }[]): void {
    this.legend.replaceChildren(
      ...words.map(({ colour, sign, word }) => {
        const swatch = element("i", {}, sign);
        swatch.style.background = colour;
        return element("span", {}, swatch, word);
      }),
    );
  }

  /** Where an axis begins, what it is, where it ends. */
  private marks({ name, lo, hi }: Reach): HTMLElement[] {
    const unit = variables(this.model).find((knob) => knob.name === name)?.unit ?? "";
    const words = [number(lo), unit ? `${name}, ${unit}` : name, number(hi)];
    return words.map((word) => element("span", {}, word));
  }
}
