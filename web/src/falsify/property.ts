// Which property is asked about.
import { element, write } from "../page/dom.ts";
import type { Model } from "../protocol/messages.ts";

export const NO_PROPERTY = "This model has no property. Write one: property low: always ball.y > 0";

export interface PropertyChoice {
  nodes: HTMLElement[];
  chosen(): string;
}

export function propertyChoice({ properties }: Model): PropertyChoice {
  const select = element("select", { "aria-label": "Property" });
  const formula = element("code", { class: "formula" });
  select.append(...properties.map(({ name }) => element("option", { value: name }, name)));
  const tell = () =>
    write(formula, properties.find(({ name }) => name === select.value)?.text ?? "");
  select.onchange = tell;
  tell();
  const line = element("div", { class: "line" }, element("span", {}, "property"), select);
  return { nodes: [line, formula], chosen: () => select.value };
}
