import type { AnswerExtra } from "../answer/extra.js";
import { type CardProgram, loadCardProgram } from "../extras/cards/draw.js";
import { cards } from "../extras/cards/edge.js";

export type { CardProgram } from "../extras/cards/draw.js";

/**
 * Loads what draws cards, for the option `cards` of `createFetchHandler`.
 * @param program the file `index_bg.wasm` of the package `@resvg/resvg-wasm`, compiled or as bytes
 */
export async function loadCards(program: CardProgram): Promise<AnswerExtra> {
  await loadCardProgram(program);
  return cards(program);
}
