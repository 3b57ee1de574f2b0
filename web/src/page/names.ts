// Names that are longer than their room: what is left out is what tells least.
import { element } from "./dom.ts";

const TAIL = 9; // letters at the end of a name, which often tell more than its middle

/** A name that is cut in its middle where there is no room for it. */
export function splitName(name: string): HTMLElement {
  const node = element("span", { class: "split-name" });
  const cut = Math.max(0, name.length - TAIL);
  if (cut < 3) node.append(element("span", {}, name));
  else node.append(element("span", {}, name.slice(0, cut)), element("span", {}, name.slice(cut)));
  return node;
}

/** How many letters all names share at their beginning and at their end, in whole words. */
export interface Common {
  before: number;
  after: number;
}

export function commonOf(names: readonly string[]): Common {
  const [first, ...rest] = names;
  if (first === undefined || rest.length === 0) return { before: 0, after: 0 };
  const shortest = Math.min(...names.map((name) => name.length));
  const same = (at: (name: string) => string | undefined) =>
    rest.every((name) => at(name) === at(first));
  let before = 0;
  while (before < shortest && same((name) => name[before])) before++;
  let after = 0;
  while (after < shortest - before && same((name) => name.at(-1 - after))) after++;
  while (before > 0 && names.some((name) => inWord(name, before))) before--;
  while (after > 0 && names.some((name) => inWord(name, name.length - after))) after--;
  return { before, after };
}

/** Would a cut here go through a word or a number? */
function inWord(name: string, at: number): boolean {
  return /[a-zA-Z0-9]{2}/.test(name.slice(at - 1, at + 1));
}

/** A name, or as much of it as fits: first goes what it shares with others, then its beginning. */
export function partOf(
  name: string,
  { before, after }: Common,
  fits: (text: string) => boolean,
): string {
  if (fits(name)) return name;
  const begun = before > 0 ? "…" : "";
  const end = `${begun}${name.slice(before)}`;
  if (before > 0 && fits(end)) return end;
  if (after === 0) return lastOf(name, fits);
  const own = begun.length + name.length - after - before;
  for (let length = end.length - 1; length >= own; length--) {
    if (fits(`${end.slice(0, length)}…`)) return `${end.slice(0, length)}…`;
  }
  return lastOf(`${end.slice(0, own)}…`, fits);
}

/** As much of the end of a name as fits: names of contacts differ there. */
export function lastOf(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  let [shortest, longest] = [0, name.length];
  while (shortest < longest) {
    const middle = Math.ceil((shortest + longest) / 2);
    if (fits(`…${name.slice(name.length - middle)}`)) shortest = middle;
    else longest = middle - 1;
  }
  return `…${name.slice(name.length - shortest)}`;
}
