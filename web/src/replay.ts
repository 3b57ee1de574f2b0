// The page in one file, with a recorded run inside.
import { openPage } from "./page/page.ts";
import { Replay, unpack } from "./source/replay.ts";

const packed = document.getElementById("run")?.textContent ?? "";
openPage(new Replay(await unpack(packed)));
