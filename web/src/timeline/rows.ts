// Which lanes are shown, in which order, and how a large model is thinned out.
import type { Component, Model } from "../protocol/messages.ts";
import { type Lane, type Lanes, OPEN } from "../state/lanes.ts";

/** More contacts than this are too many to show all of them. */
export const MANY = 12;

export interface Row {
  lane: string;
  label: string;
  component: string;
  locations: readonly string[]; // of an automaton; a contact has none
}

export interface Choice {
  search: string;
  /** Of many contacts, only those that ever touched. */
  touchedOnly: boolean;
}

export interface Rows {
  shown: Row[];
  contacts: { shown: number; all: number };
}

/** `struck` are those of whom events tell: a bounce leaves its contact open. */
export function rowsOf(
  model: Model,
  lanes: Lanes,
  choice: Choice,
  struck: ReadonlySet<string>,
): Rows {
  const search = choice.search.trim().toLowerCase();
  const all = model.components.flatMap(rowsOfComponent);
  const contacts = all.filter((row) => row.locations.length === 0);
  const thin = choice.touchedOnly && contacts.length > MANY;
  const shown = all.filter((row) => {
    if (search && !row.label.toLowerCase().includes(search)) return false;
    if (row.locations.length > 0 || !thin) return true;
    return struck.has(row.lane) || everClosed(lanes.get(row.lane));
  });
  const left = shown.filter((row) => row.locations.length === 0).length;
  return { shown, contacts: { shown: left, all: contacts.length } };
}

function rowsOfComponent(component: Component): Row[] {
  const { name } = component;
  if (component.kind === "bodies") {
    return component.contacts.map((contact) => {
      return { lane: contact.name, label: contact.name, component: name, locations: [] };
    });
  }
  const locations = component.locations.map((location) => location.name);
  return [{ lane: name, label: name, component: name, locations }];
}

function everClosed(lane: Lane | undefined): boolean {
  return lane?.values.some((value) => value !== OPEN) ?? false;
}

/** `12 of 200 contacts: those that ever touched` */
export function summary({ contacts }: Rows, choice: Choice): string {
  if (contacts.all <= MANY && !choice.search) return "";
  const what = `${contacts.shown} of ${contacts.all} contacts`;
  return choice.touchedOnly && contacts.all > MANY ? `${what}: those that ever touched` : what;
}
