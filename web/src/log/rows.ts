// The log as rows of text: one per event; equal ones close together are counted, not repeated.
import type { Happening } from "../protocol/messages.ts";

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
  return from && to && from !== to ? `${from} → ${to}` : "";
}

/** Does every word of `search` occur in the row? */
export function matches(row: LogRow, search: string): boolean {
  const text = `${row.kind} ${row.who} ${row.remark}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
