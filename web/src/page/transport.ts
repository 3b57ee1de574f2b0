// The buttons that move time: restart, one event back, play, next event, one tick, loop.
import type { Span } from "../protocol/messages.ts";
import { type Action, actionButton } from "./actions.ts";
import type { App } from "./app.ts";
import { element, press, setIcon, withKey } from "./dom.ts";
import { seconds } from "./format.ts";

export function transport(app: App): HTMLElement {
  const { known, control, actions } = app;
  const add = (label: string, key: string, run: () => void): Action =>
    actions.add({ label, key, group: "time", run });
  const playing = actionButton(
    add("play or pause", " ", () => control.toggle()),
    { icon: "play", class: "play" },
  );
  const looping = actionButton(loopAction(app), { icon: "loop" });
  const bar = element(
    "div",
    { class: "transport", role: "group", "aria-label": "Transport" },
    actionButton(
      add("restart", "r", () => control.restart()),
      { icon: "restart" },
    ),
    actionButton(
      add("one event back", "ArrowLeft", () => control.events(-1)),
      { icon: "back" },
    ),
    playing,
    actionButton(
      add("next event", "ArrowRight", () => control.events(1)),
      { icon: "next" },
    ),
    actionButton(
      add("one tick on", "Shift+ArrowRight", () => control.ticks(1)),
      { icon: "tick" },
    ),
    looping,
  );
  add("one tick back", "Shift+ArrowLeft", () => control.ticks(-1));
  add("to the start", "Home", () => control.seek(0));
  add("to the newest instant", "End", () => control.seek(known.live));
  known.status.see((status) => {
    setIcon(playing, status.playing ? "pause" : "play");
    const label = status.playing ? "pause" : "play";
    playing.setAttribute("aria-label", label);
    playing.title = withKey(label, "space");
    press(looping, Boolean(status.loop));
  });
  return bar;
}

/** Once: the first mark is here. Twice: loop from there to here. Again: no loop. */
function loopAction({ actions, known, control }: App): Action {
  let mark: number | null = null;
  known.model.on(() => {
    mark = null;
  });
  const run = () => {
    const now = known.time.value;
    if (known.status.value.loop) control.loop();
    else if (mark === null) {
      mark = now;
      control.notice.set(`loop from ${seconds(now)}: go to its end and press L again`);
      return;
    } else {
      const span = spanOf(mark, now);
      if (span.to > span.from) control.loop(span.from, span.to);
    }
    mark = null;
  };
  return actions.add({ label: "loop between two marks", key: "l", group: "time", run });
}

function spanOf(a: number, b: number): Span {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
