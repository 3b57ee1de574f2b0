// An automaton as a graph to be laid out: boxes with words in them, edges with words at them.
import type { Automaton, Edge, Location, Neighbourhood } from "../protocol/messages.ts";

export interface Box {
  id: string;
  lines: readonly string[]; // the first one is the name
  badge: string; // urgent, committed, or nothing
  about: string; // the tooltip
  width: number;
  height: number;
}

export interface Arc {
  id: string;
  source: string;
  target: string;
  lines: readonly string[];
  about: string;
  width: number;
  height: number;
}

export interface Graph {
  key: string; // equal for graphs that look alike: positions are kept by it
  boxes: readonly Box[];
  arcs: readonly Arc[];
}

const LINE = 16; // px
const LETTER = 6.9; // px, about the mean width of a letter of 13 px
const LONGEST = 26; // letters of a line on the picture; the tooltip has it all

export function shortened(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => line.length)) * LETTER;
}

export function graphOf({ name, locations, edges }: Automaton): Graph {
  const own = ownNames(name);
  const boxes = locations.map((location) => boxOf(location, own));
  const arcs = edges.map((edge) => arcOf(edge, own));
  return { key: keyOf(boxes, arcs), boxes, arcs };
}

/** In its own diagram a component's variables need no first name. */
function ownNames(component: string): (text: string | undefined) => string {
  const plain = component.replace(/[^\w]/g, "\\$&"); // it may be called Train(0)
  const prefix = new RegExp(`(?<![\\w.])${plain}\\.`, "g");
  return (text = "") => text.replace(prefix, "");
}

function keyOf(boxes: readonly Box[], arcs: readonly Arc[]): string {
  return JSON.stringify([
    boxes.map(({ id, width, height }) => [id, width, height]),
    arcs.map(({ id, source, target, width, height }) => [id, source, target, width, height]),
  ]);
}

type Own = ReturnType<typeof ownNames>;

function boxOf(location: Location, own: Own): Box {
  const { name, urgent, committed } = location;
  const invariant = own(location.invariant);
  const rates = location.rates?.map(own);
  const lines = [name, ...wrapped(invariant)].filter(Boolean).map((line) => shortened(line));
  const badge = committed ? "C" : urgent ? "U" : "";
  const about = [
    name,
    committed ? "committed: left at once, before anything else" : "",
    urgent ? "urgent: no time passes here" : "",
    invariant ? `stays while ${invariant}` : "",
    location.where ? `where ${own(location.where)}` : "",
    ...(rates ?? []),
  ];
  return {
    id: name,
    lines,
    badge,
    about: about.filter(Boolean).join("\n"),
    width: Math.max(56, widthOf(lines) + (badge ? 44 : 26)),
    height: 14 + LINE * lines.length,
  };
}

const ROOM = 16; // letters of a condition on one line, if it can be broken
const MOST_LINES = 2;

/** A condition broken before `and` and `or`. */
export function wrapped(condition: string): string[] {
  const lines: string[] = [];
  for (const part of condition.split(/ (?=and |or )/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + part.length < ROOM)
      lines[lines.length - 1] += ` ${part}`;
    else lines.push(part);
  }
  const some = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) some[MOST_LINES - 1] += " …";
  return some;
}

function arcOf(edge: Edge, own: Own): Arc {
  const { id, source, target, action, sync } = edge;
  const [guard, reset] = [own(edge.guard), own(edge.reset)];
  const name = sync || action || "";
  const condition = guard === "true" ? "" : guard;
  const lines = [name, ...wrapped(condition)].filter(Boolean).map((line) => shortened(line));
  const about = [
    `${source} → ${target}`,
    condition ? `when ${condition}` : "",
    edge.where ? `where ${own(edge.where)}` : "",
    reset ? `do ${reset}` : "",
    sync ? `sync ${sync}` : action ? `action ${action}` : "",
  ];
  const size = { width: widthOf(lines) + 8, height: LINE * lines.length + 2 };
  return {
    id: String(id),
    source,
    target,
    lines,
    about: about.filter(Boolean).join("\n"),
    ...size,
  };
}

const NAMED = 3; // contacts of a mode that are named; more are counted

/** `slip b1-table`, `14 stick`: the modes of the closed contacts in a few lines. */
export function closedLines(closed: Neighbourhood["nodes"][number]["closed"]): string[] {
  if (closed.length === 0) return ["all open"];
  const modes = [...new Set(closed.map(({ mode }) => mode))];
  return modes.flatMap((mode) => {
    const some = closed.filter((one) => one.mode === mode);
    if (some.length > NAMED) return [`${some.length} contacts ${mode}`];
    return some.map(({ contact }) => shortened(`${contact} ${mode}`));
  });
}

/** `impact{a-b, c-d}`: what happens, and below it where, as far as the box behind does not say so. */
export function eventLines(label: string, behind: readonly string[]): string[] {
  const [, kind, where] = /^([^{]*)\{(.*)\}$/.exec(label) ?? [];
  if (kind === undefined || where === undefined) return label ? [shortened(label)] : [];
  const told = (contact: string) => behind.some((line) => line.startsWith(`${contact} `));
  const rest = where.split(", ").filter((contact) => !told(contact));
  const more = rest.length > 1 ? ` +${rest.length - 1}` : "";
  return [kind, rest[0] ? `${shortened(rest[0], LONGEST - 6)}${more}` : ""].filter(Boolean);
}

/** The surroundings of a location of rigid bodies: a box names the contacts that are closed. */
export function graphAround({ nodes, edges }: Neighbourhood): Graph {
  const sorted = [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1)); // whatever was visited last
  const boxes = sorted.map(({ id, location, closed }) => {
    const lines = closedLines(closed);
    const size = { width: Math.max(64, widthOf(lines) + 22), height: 12 + LINE * lines.length };
    return { id, lines, badge: "", about: location, ...size };
  });
  const said = new Map(boxes.map(({ id, lines }) => [id, lines]));
  const arcs = edges.map(({ source, target, label }, i) => {
    const lines = eventLines(label, said.get(target) ?? []);
    const size = { width: widthOf(lines) + 8, height: LINE * lines.length + 2 };
    return { id: String(i), source, target, lines, about: label, ...size };
  });
  return { key: keyOf(boxes, arcs), boxes, arcs };
}
