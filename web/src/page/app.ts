// The parts that every view is handed.
import type { Source } from "../source/source.ts";
import { Control } from "../state/control.ts";
import { Known } from "../state/known.ts";
import { Subscriptions } from "../state/subscriptions.ts";
import { View } from "../state/view.ts";
import { Actions } from "./actions.ts";

export interface App {
  source: Source;
  known: Known;
  control: Control;
  subscriptions: Subscriptions;
  view: View;
  actions: Actions;
}

export function makeApp(source: Source): App {
  const known = new Known();
  return {
    source,
    known,
    control: new Control(source, known),
    subscriptions: new Subscriptions(source, known),
    view: new View(known),
    actions: new Actions(),
  };
}
