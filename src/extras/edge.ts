import type { AnswerExtra } from "../extra.js";
import { batch } from "./batch/edge.js";
import { changes } from "./changes/edge.js";
import { dumps } from "./dumps/edge.js";
import { trends } from "./trends/edge.js";

/** The extras that every fetch handler has. */
export const EDGE_EXTRAS: readonly AnswerExtra[] = [changes(), batch(), trends(), dumps()];
