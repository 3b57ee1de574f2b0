// The state of the run in words.
import type { Status } from "../protocol/messages.ts";
import { factor, number, seconds } from "./format.ts";

export interface Words {
  /** The word that colours go by. */
  state: Status["state"] | "fork" | "replay" | "away";
  text: string;
  /** More about it, for the tooltip. */
  more: string;
}

const STOOD = 1e-9; // s

export function stateWords(status: Status, live: boolean, linked: boolean): Words {
  if (!linked) {
    return { state: "away", text: "server away", more: "the page comes back by itself" };
  }
  return live ? liveWords(status) : replayWords(status);
}

function replayWords(status: Status): Words {
  const more = "a recorded run: watch it, step through it, plot it";
  if (status.state === "ended") return { state: "ended", text: "replay, ended", more: why(status) };
  const text = status.playing ? `replay ${factor(status.speed.target)}` : "replay, paused";
  return { state: "replay", text, more };
}

function liveWords(status: Status): Words {
  const { state } = status;
  if (state === "empty") return { state, text: "no model", more: "choose one" };
  if (state === "working") {
    return { state, text: status.progress?.text ?? "working …", more: why(status) };
  }
  if (state === "error")
    return { state, text: `error at ${seconds(status.time)}`, more: why(status) };
  if (state === "past") return { state, text: pastText(status), more: forked(status) };
  if (state === "ended") {
    return { state, text: `ended at ${seconds(status.live)}`, more: why(status) };
  }
  const more = [stands(status) ? why(status) : "", forked(status)].filter(Boolean).join("\n");
  if (!status.fork) return { state, text: pausedOr(status, "paused at the horizon"), more };
  return { state: "fork", text: `fork, ${pausedOr(status, "at the horizon")}`, more };
}

function pausedOr(status: Status, atHorizon: string): string {
  if (status.state !== "paused") return `live ${factor(rate(status))}`;
  return stands(status) ? atHorizon : "paused";
}

/** Is it paused because the horizon is reached? */
function stands({ state, asks, why: reason }: Status): boolean {
  return state === "paused" && !asks && Boolean(reason);
}

/** "1.2 s behind": looking back says how far. */
function pastText(status: Status): string {
  const behind = status.live - status.time;
  const how = behind < STOOD ? "" : `, ${seconds(behind)} behind`;
  return status.playing ? `playing${how}` : `past${how}`;
}

function rate(status: Status): number {
  return status.speed.achieved ?? status.speed.target;
}

function forked({ fork }: Status): string {
  if (!fork) return "";
  const { name, from, to } = fork;
  const numbers = from === null || to === null ? "" : `: ${number(from)} → ${number(to)}`;
  return `forked at ${seconds(fork.at)} (${name}${numbers})`;
}

function why(status: Status): string {
  return status.why ?? "";
}
