// A listener that keeps what it hears.
import type { Frame } from "../../src/protocol/binary.ts";
import type { Said, Status } from "../../src/protocol/messages.ts";
import type { Listener } from "../../src/source/source.ts";

export class Heard implements Listener {
  messages: Said[] = [];
  frames: Frame[] = [];
  links: boolean[] = [];

  said(message: Said): void {
    this.messages.push(message);
  }

  frame(frame: Frame): void {
    this.frames.push(frame);
  }

  linked(up: boolean): void {
    this.links.push(up);
  }

  get status(): Status {
    const status = this.messages.findLast((message) => message.say === "status");
    if (!status) throw new Error("no status was said");
    return status;
  }

  get time(): number {
    return this.frames.at(-1)!.time;
  }
}
