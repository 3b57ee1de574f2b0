// The live source: one WebSocket to the server. It comes back by itself when the link breaks, and
// the server then says everything again.
import { decode, type History } from "../protocol/binary.ts";
import type { Answer, Asked, HistoryAsked, Said } from "../protocol/messages.ts";
import { type Listener, Refused, refusal, type Source } from "./source.ts";

const VERSION = 1;
const FIRST_WAIT = 250; // ms until the first attempt to come back; doubled each time
const LONGEST_WAIT = 5000;

/** What is asked of a WebSocket; tests hand in one of their own. */
export type Socket = Pick<WebSocket, "send" | "close" | "readyState"> & {
  binaryType: BinaryType;
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent<string | ArrayBuffer>) => void) | null;
};

interface Waiting {
  resolve(answer: Answer | History): void;
  reject(error: Error): void;
}

export class Live implements Source {
  readonly live = true;
  private listener: Listener | null = null;
  private socket: Socket | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private wait = FIRST_WAIT;

  constructor(private readonly connect: () => Socket) {}

  start(listener: Listener): void {
    this.listener = listener;
    this.open();
  }

  ask(request: Asked): Promise<Answer> {
    return this.send(request) as Promise<Answer>;
  }

  history(request: HistoryAsked): Promise<History> {
    return this.send(request) as Promise<History>;
  }

  private open(): void {
    const socket = this.connect();
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listener?.linked(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.text(data);
      else this.binary(data);
    };
    socket.onclose = () => this.lost();
    this.socket = socket;
  }

  private lost(): void {
    for (const { reject } of this.waiting.values()) reject(refusal("the server went away"));
    this.waiting.clear();
    this.listener?.linked(false);
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  private send(request: Asked): Promise<Answer | History> {
    const socket = this.socket;
    if (socket?.readyState !== 1) return Promise.reject(refusal("the server cannot be reached"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ v: VERSION, id, ...request }));
    });
  }

  private text(data: string): void {
    const message = JSON.parse(data) as Said | Answer;
    if ("say" in message) this.listener?.said(message);
    else if (message.ok) this.settle(message.re)?.resolve(message);
    else this.settle(message.re)?.reject(new Refused(message.problems ?? []));
  }

  private binary(data: ArrayBuffer): void {
    const numbers = decode(data);
    if (numbers.kind === "frame") this.listener?.frame(numbers.frame);
    else this.settle(numbers.history.id)?.resolve(numbers.history);
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}

/** The server that handed out this page; the query carries the token, if there is one. */
export function hostOfPage(): Live {
  const address = new URL("live", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = location.search;
  return new Live(() => new WebSocket(address));
}
