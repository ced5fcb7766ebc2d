import type { Extra } from "../../extra.js";
import { peers as atEdge } from "./edge.js";

/** For each check that sites of a category fail, who passes it, with what they answered, and who newly passes it. */
export const peers: Extra = { ...atEdge(), needs: ["changes"] };
