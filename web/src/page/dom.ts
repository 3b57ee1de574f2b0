// Elements of the page. Text is only ever text: nothing here takes HTML.

type Children = readonly (Node | string | null)[];
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Attributes {
  on?: Handlers;
  [name: string]: string | number | boolean | undefined | Handlers;
}

function dress(node: Element, attributes: Attributes, children: Children): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") listen(node, value as Handlers);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null) node.append(child);
}

function listen(node: Element, handlers: Handlers): void {
  for (const [kind, handler] of Object.entries(handlers)) {
    node.addEventListener(kind, handler as EventListener);
  }
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  dress(node, attributes, children);
  return node;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(node, attributes, children);
  return node;
}

/** Write `text` into `node`, touching it only where it differs. */
export function write(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** A key as it stands in tooltips and on the page of keys: `Shift →`. */
export function withKey(title: string, key?: string): string {
  return key ? `${title} (${key})` : title;
}

export interface Pressed {
  label: string;
  key?: string;
  icon?: IconName;
  text?: string;
  class?: string;
  press: () => void;
}

/** A button with a tooltip that names its key. */
export function button({ label, key, icon: name, text, press, ...rest }: Pressed) {
  const title = withKey(label, key);
  const children = [name ? icon(name) : null, text ? element("span", {}, text) : null];
  const attributes = { type: "button", title, "aria-label": text ?? label, class: rest.class };
  return element("button", { ...attributes, on: { click: press } }, ...children);
}

/** A button that stays pressed. */
export function press(node: HTMLButtonElement, pressed: boolean): void {
  node.setAttribute("aria-pressed", String(pressed));
}

// Drawn on a field of 24 by 24; filled.
const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  restart: "M6 5h2.5v14H6zM19 5v14L9 12z",
  back: "M12 5v14l-8-7zM20 5v14l-8-7z",
  next: "M4 5v14l8-7zM12 5v14l8-7z",
  tick: "M6 5v14l9-7zM16 5h2.5v14H16z",
  loop: "M17 4l4 4-4 4V9H8a3 3 0 0 0-3 3v1H3v-1a5 5 0 0 1 5-5h9zM7 20l-4-4 4-4v3h9a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",
  close:
    "M6.4 5L5 6.4l5.6 5.6L5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z",
  add: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  down: "M7 10l5 5 5-5z",
  reset: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.2 5.6l1.4-1.4 2.9 2.9-1.4 1.4zM15.5 16.9l1.4-1.4 2.9 2.9-1.4 1.4zM4.2 18.4l2.9-2.9 1.4 1.4-2.9 2.9zM15.5 7.1l2.9-2.9 1.4 1.4-2.9 2.9z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  text: "M4 5h16v2H4zM4 9h10v2H4zM4 13h16v2H4zM4 17h10v2H4z",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const drawn = svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" });
  drawn.append(svg("path", { d: ICONS[name] }));
  return drawn;
}

export function setIcon(node: HTMLElement, name: IconName): void {
  node.querySelector(".icon path")?.setAttribute("d", ICONS[name]);
}
