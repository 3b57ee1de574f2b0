// One diagram: boxes and edges, what is active, what may happen, what has just happened. It can be
// moved and zoomed; where it is too large for its pane, it goes along with the active location.
import { element, svg, write } from "../page/dom.ts";
import { number } from "../page/format.ts";
import { calm } from "../page/theme.ts";
import type { Arc, Box, Graph } from "./graph.ts";
import { type Places, type Point, scaleIn } from "./layout.ts";
import { head, smooth } from "./paths.ts";
import { LEAST, placesIn } from "./places.ts";

const MOST = 1.25;
const AHEAD = 0.28; // of the width: to the right of the active location is what may come
const FLASH = 900; // ms
const LINE = 16;

export interface Edges {
  /** Edges that are enabled now; those that may be clicked. */
  enabled: ReadonlyMap<string, boolean>;
  /** Edges with a predicted time, s from now. */
  ahead: ReadonlyMap<string, number>;
}

export class Diagram {
  readonly node: HTMLElement;
  private readonly picture = svg("svg", { class: "diagram" });
  private readonly world = svg("g");
  private readonly boxes = new Map<string, SVGGElement>();
  private readonly arcs = new Map<string, { node: SVGGElement; count: SVGTextElement }>();
  private places: Places | null = null;
  private graph: Graph | null = null;
  private active: string | null = null;
  private view = { x: 0, y: 0, scale: 1 };
  private held = false; // a hand has chosen what is seen
  private edges: Edges = { enabled: new Map(), ahead: new Map() };

  constructor(
    label: string,
    private readonly take: (edge: string) => void,
  ) {
    this.picture.setAttribute("role", "group");
    this.picture.setAttribute("aria-label", label);
    this.picture.append(this.world);
    this.node = element("div", { class: "diagram-body" }, this.picture);
    this.hands();
    new ResizeObserver(() => {
      if (this.graph) void this.lay(this.graph);
    }).observe(this.node);
  }

  async show(graph: Graph): Promise<void> {
    if (this.graph?.key === graph.key) return;
    this.graph = graph;
    await this.lay(graph);
  }

  private room(): { width: number; height: number } {
    return { width: this.node.clientWidth, height: this.node.clientHeight };
  }

  private async lay(graph: Graph): Promise<void> {
    const places = await placesIn(this.room(), graph);
    if (this.graph !== graph) return; // another one was asked for meanwhile
    if (this.places === places) this.fit();
    else this.draw(graph, places);
  }

  private draw(graph: Graph, places: Places): void {
    this.places = places;
    this.boxes.clear();
    this.arcs.clear();
    const arcs = graph.arcs.map((arc) => this.drawArc(arc, places.arcs[arc.id]!));
    const boxes = graph.boxes.map((box) => this.drawBox(box, places.boxes[box.id]!));
    this.world.replaceChildren(...arcs, ...boxes);
    this.held = false;
    this.fit();
    this.activate(this.active);
    this.mark(this.edges);
  }

  private drawBox(box: Box, { x, y }: Point): SVGGElement {
    const { width, height, lines, badge, about } = box;
    const node = svg(
      "g",
      { class: "location", transform: `translate(${x} ${y})` },
      svg("title", {}, about),
      svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: 9 }),
      ...texts(lines, badge ? -8 : 0, -((lines.length - 1) * LINE) / 2, "location-text"),
      badge ? svg("text", { class: "badge", x: width / 2 - 14, y: 4 }, badge) : null,
    );
    this.boxes.set(box.id, node);
    return node;
  }

  private drawArc(arc: Arc, { points, label, instead }: Places["arcs"][string]): SVGGElement {
    const lines = Math.max(arc.lines.length, instead ? 2 : 0);
    const top = label.y - ((lines - 1) * LINE) / 2;
    const words = texts(arc.lines, label.x, top, "edge-text");
    const y = top + (instead ? 1 : lines) * LINE + 4;
    const count = svg("text", { class: "countdown", x: label.x, y });
    const { width, height } = arc;
    const ground = { x: label.x - width / 2, y: label.y - height / 2, width, height, rx: 4 };
    const node = svg(
      "g",
      { class: instead ? "edge instead" : "edge" },
      svg("title", {}, arc.about),
      svg("path", { class: "reach", d: smooth(points) }),
      svg("path", { class: "line", d: smooth(points) }),
      svg("path", { class: "head", d: head(points) }),
      words.length ? svg("rect", { class: "edge-ground", ...ground }) : null,
      ...words,
      count,
    );
    node.addEventListener("click", () => this.pick(arc.id));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.pick(arc.id);
    });
    this.arcs.set(arc.id, { node, count });
    return node;
  }

  private pick(edge: string): void {
    if (this.edges.enabled.get(edge)) this.take(edge);
  }

  /** The location that is active now. */
  activate(id: string | null): void {
    this.active = id;
    for (const [name, node] of this.boxes) {
      const here = name === id;
      node.classList.toggle("active", here);
      if (here) node.classList.add("visited");
    }
    this.follow();
  }

  mark(edges: Edges): void {
    this.edges = edges;
    for (const [id, { node, count }] of this.arcs) {
      const choose = edges.enabled.get(id);
      node.classList.toggle("enabled", choose !== undefined);
      node.classList.toggle("choose", choose === true);
      if (choose) {
        node.setAttribute("tabindex", "0");
        node.setAttribute("role", "button");
      } else node.removeAttribute("tabindex");
      const wait = edges.ahead.get(id);
      node.classList.toggle("counting", wait !== undefined);
      write(count, wait === undefined ? "" : `≤ ${number(Math.max(0, wait), 2)}\u202fs`);
    }
  }

  /** An edge has just been taken. */
  flash(id: string): void {
    const node = this.arcs.get(id)?.node;
    if (!node) return;
    node.classList.remove("taken");
    node.getBoundingClientRect(); // begins the animation anew
    node.classList.add("taken");
    setTimeout(() => node.classList.remove("taken"), FLASH);
  }

  /** All of it, or as much as can be read. */
  fit(whole = false): void {
    const { width, height } = this.room();
    if (!this.places || width === 0 || height === 0 || this.held) return;
    const fits = scaleIn(this.places, { width, height });
    const scale = Math.min(whole ? fits : Math.max(fits, LEAST), MOST);
    this.view = {
      scale,
      x: (width - this.places.width * scale) / 2,
      y: (height - this.places.height * scale) / 2,
    };
    if (whole) this.apply(false);
    else this.follow(false);
  }

  /** Bring the active location into sight, where not everything is. */
  private follow(glide = true): void {
    const place = this.active === null ? undefined : this.places?.boxes[this.active];
    if (!this.places || this.held) return;
    if (!place) {
      this.apply(false);
      return;
    }
    const { width, height } = this.room();
    const along = (now: number, room: number, size: number, at: number, share: number) => {
      const all = size * this.view.scale;
      if (all <= room) return (room - all) / 2;
      const wanted = room * share - at * this.view.scale;
      return Math.min(0, Math.max(room - all, Number.isFinite(wanted) ? wanted : now));
    };
    const { wide } = this.places;
    this.view.x = along(this.view.x, width, this.places.width, place.x, wide ? AHEAD : 0.5);
    this.view.y = along(this.view.y, height, this.places.height, place.y, 0.5);
    this.apply(glide);
  }

  private apply(glide = true): void {
    const { x, y, scale } = this.view;
    this.world.style.transition = glide && !calm() && !this.held ? "transform 0.2s" : "none";
    this.tellRest();
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  /** Where there is more than is seen, it fades out: nothing looks cut off. */
  private tellRest(): void {
    if (!this.places) return;
    const { x, y, scale } = this.view;
    const { clientWidth, clientHeight, classList } = this.node;
    classList.toggle("more-left", x < -1);
    classList.toggle("more-right", x + this.places.width * scale > clientWidth + 1);
    classList.toggle("more-above", y < -1);
    classList.toggle("more-below", y + this.places.height * scale > clientHeight + 1);
  }

  /** All of it, however small, until the next model. */
  showAll(): void {
    this.held = false;
    this.fit(true);
    this.held = true;
  }

  private hands(): void {
    const { node } = this;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      this.held = true;
      const { left, top } = node.getBoundingClientRect();
      const [px, py] = [event.clientX - left, event.clientY - top];
      const factor = Math.min(Math.max(0.998 ** event.deltaY, 0.5), 2);
      const { x, y, scale } = this.view;
      this.view = { scale: scale * factor, x: px - (px - x) * factor, y: py - (py - y) * factor };
      this.apply();
    };
    node.addEventListener("wheel", wheel, { passive: false });
    node.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Element && event.target.closest(".choose")) return;
      const start = { x: event.clientX - this.view.x, y: event.clientY - this.view.y };
      node.setPointerCapture(event.pointerId);
      node.onpointermove = (later) => {
        this.held = true;
        this.view = { ...this.view, x: later.clientX - start.x, y: later.clientY - start.y };
        this.apply();
      };
    });
    node.addEventListener("pointerup", () => {
      node.onpointermove = null;
    });
    node.addEventListener("dblclick", () => {
      this.held = false;
      this.fit();
    });
  }
}

function texts(lines: readonly string[], x: number, y: number, name: string): SVGTextElement[] {
  return lines.map((line, i) => {
    return svg("text", { class: `${name}${i ? " more" : ""}`, x, y: y + 4 + LINE * i }, line);
  });
}
