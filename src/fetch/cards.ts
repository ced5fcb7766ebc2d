import type { DrawCard } from "../answer/card-queue.js";
import { type CardProgram, loadCardProgram } from "../extras/cards/draw.js";

export type { DrawCard } from "../answer/card-queue.js";
export type { CardProgram } from "../extras/cards/draw.js";

/**
 * Loads the function that draws cards, for the option `cards` of `createFetchHandler`.
 * @param program the file `index_bg.wasm` of the package `@resvg/resvg-wasm`, compiled or as bytes
 */
export async function loadCards(program: CardProgram): Promise<DrawCard> {
  const draw = await loadCardProgram(program);
  return async (svg) => draw(svg);
}
