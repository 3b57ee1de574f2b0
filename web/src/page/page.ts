// The page: its panes filled with views, and what keys do with the whole of it.
import "../style/page.css";
import "../style/bar.css";
import "../style/over.css";
import { fillAutomata } from "../automata/automata.ts";
import { fillEditor } from "../editor/pane.ts";
import { falsifying } from "../falsify/falsify.ts";
import { gallery } from "../gallery/gallery.ts";
import { fillLog } from "../log/log.ts";
import { fillMessages } from "../log/messages.ts";
import { fillScene, type Picture } from "../scene/scene.ts";
import { World } from "../scene/world.ts";
import { sharing } from "../share/share.ts";
import type { Source } from "../source/source.ts";
import { Cell } from "../state/cell.ts";
import { fillTimeline } from "../timeline/timeline.ts";
import { type App, makeApp } from "./app.ts";
import { type BarActions, fillBar } from "./bar.ts";
import { help } from "./help.ts";
import { layout } from "./layout.ts";
import { notices } from "./notices.ts";
import { strip } from "./strip.ts";
import { dressPage } from "./theme.ts";

const NARROW = 1100; // px: the text is folded away at first

export function openPage(source: Source): App {
  dressPage();
  const app = makeApp(source);
  const { root, middle, panes, show } = layout();
  const editor = fillEditor(panes.editor, app);
  const editing = new Cell(source.live && innerWidth >= NARROW);
  editing.see((shown) => {
    show("editor", shown);
    if (shown) editor.open();
  });
  const picture = fillScene(panes.scene, app);
  fillBar(panes.bar, app, barActions(app, editing, picture));
  fillAutomata(panes.automata, app);
  fillTimeline(panes.timeline, app);
  fillLog(panes.log, app);
  fillMessages(panes.messages, app, (there) => show("messages", there));
  middle.append(strip(app));
  document.body.append(root, notices(app));
  app.actions.listen(document);
  app.known.model.on((model) => {
    show("scene", model === null || World.shows(model));
    show("automata", (model?.components.length ?? 0) > 0);
    document.title = model ? `${model.name} · dyverse` : "dyverse";
  });
  source.start(app.known.listener());
  return app;
}

function barActions(app: App, editing: Cell<boolean>, picture: Picture): BarActions {
  const { actions, source } = app;
  const add = (label: string, key: string, run: () => void) =>
    actions.add({ label, key, group: "model", run });
  const share = sharing(app, picture);
  return {
    gallery: source.live ? add("open another model", "o", gallery(app)) : null,
    falsify: source.live ? add("falsify, prove and map", "f", falsifying(app).toggle) : null,
    share: add("share", "s", share.toggle),
    editor: add("show or hide the text", "e", () => editing.set(!editing.value)),
    help: actions.add({ label: "all keys", key: "?", group: "look", run: () => help(actions) }),
  };
}
