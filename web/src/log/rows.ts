// The log as rows of text: one per event; equal ones close together are counted, not repeated.

import type { Happening } from "../protocol/messages.ts";
import { OPEN } from "../state/lanes.ts";

export interface LogRow {
  time: number;
  kind: string;
  who: string;
  remark: string;
}

export function rowOf(event: Happening): LogRow {
  const { time, kind } = event;
  return { time, kind, who: whoOf(event), remark: remarkOf(event) };
}

/** A message names its sender and receivers; anything else those it happened to. */
function whoOf({ sender, receivers, who }: Happening): string {
  if (sender) return `${sender} → ${receivers?.length ? receivers.join(", ") : "nobody"}`;
  return who.join(", ");
}

function remarkOf({ who, remark, from, to, sender, receivers }: Happening): string {
  const told = [who.join(", "), `${sender} to ${receivers?.join(", ")}`]; // in `who` already
  if (remark && !told.includes(remark)) return remark;
  return from && to ? changeOf(from, to) : "";
}

/** What differs between two locations: of contacts by name, of components by place. */
export function changeOf(from: string, to: string): string {
  if (from === to) return "";
  const [before, after] = [partsOf(from), partsOf(to)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => {
      const change = `${before.get(key) ?? OPEN} → ${after.get(key) ?? OPEN}`;
      return key.startsWith("#") ? change : `${key}: ${change}`;
    })
    .join(", ");
}

/** `{a-b: slip}, wait` as contacts with their modes, and components by number. */
function partsOf(location: string): Map<string, string> {
  const parts = new Map<string, string>();
  let components = 0;
  for (const part of location.replace(/[{}]/g, "").split(", ")) {
    const [name, mode] = part.split(": ");
    if (mode !== undefined) parts.set(name!, mode);
    else if (part) parts.set(`#${components++}`, part);
  }
  return parts;
}

/** Does every word of `search` occur in the row? */
export function matches(row: LogRow, search: string): boolean {
  const text = `${row.kind} ${row.who} ${row.remark}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
