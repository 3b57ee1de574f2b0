// Lanes, plots and ruler under one cursor.
import "../style/timeline.css";
import { actionButton } from "../page/actions.ts";
import type { App } from "../page/app.ts";
import { button, element, press } from "../page/dom.ts";
import { cursorOver } from "./cursor.ts";
import { lanesView, modeLegend } from "./lanes.ts";
import { plotsView } from "./plots.ts";
import { ruler } from "./ruler.ts";

export function fillTimeline(pane: HTMLElement, app: App): void {
  const { view, known, actions, control } = app;
  const plots = plotsView(app);
  const run = () => view.ghost.set(!view.ghost.value);
  const action = actions.add({ label: "ghost of the run before", key: "g", group: "look", run });
  const ghost = actionButton(action, { text: "ghost", class: "quiet" });
  const first = button({
    label: "drop the change, and go back to the first run",
    text: "back to the first run",
    press: () => control.first(),
  });
  const whole = button({
    label: "the whole run (double click on lanes or plots)",
    icon: "fit",
    class: "quiet",
    press: () => view.whole(),
  });
  const modes = modeLegend();
  const lanes = lanesView(app);
  const fill = element("span", { class: "fill" });
  const head = element("div", { class: "timeline-tools" }, modes, lanes.tools, fill, first, ghost);
  head.append(whole);
  head.append(plots.adder);
  view.ghost.see((shown) => press(ghost, shown));
  known.ghost.see((there) => {
    ghost.hidden = !there;
  });
  known.model.on((model) => {
    modes.hidden = !model?.components.some((component) => component.kind === "bodies");
  });
  known.status.see(({ fork }) => {
    first.hidden = !fork;
  });
  const body = element("div", { class: "timeline-body" }, lanes.node, plots.node, ruler(app));
  pane.append(head, body);
  cursorOver(body, app);
}
