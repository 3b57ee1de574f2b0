// Where messages come from: a server (live.ts) or a recorded run (replay.ts). Views know only this.
import type { Frame, History } from "../protocol/binary.ts";
import type { Answer, Asked, HistoryAsked, Problem, Said } from "../protocol/messages.ts";

export interface Listener {
  said(message: Said): void;
  frame(frame: Frame): void;
  /** Whether the server can be reached; a recorded run always can. */
  linked(up: boolean): void;
}

export interface Source {
  /** Can this run be changed: forked, edited, falsified? A recorded one can only be watched. */
  readonly live: boolean;
  start(listener: Listener): void;
  /** Resolves when it was done; rejects with `Refused` when it was not. */
  ask(request: Asked): Promise<Answer>;
  history(request: HistoryAsked): Promise<History>;
}

/** The answer to a request that could not be granted. */
export class Refused extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join("; ") || "the request was refused");
    this.name = "Refused";
    this.problems = problems;
  }
}

/** A refusal without a place in a text. */
export function refusal(message: string): Refused {
  return new Refused([{ line: 0, column: 0, length: 0, message }]);
}
