// The page that a server hands out.
import { openPage } from "./page/page.ts";
import { hostOfPage } from "./source/live.ts";

openPage(hostOfPage());
