import type { AnswerExtra } from "../../answer/extra.js";
import type { CardProgram } from "./draw.js";
import { CARD_PAGES } from "./pages.js";
import { queued } from "./queue.js";

/**
 * Cards: pictures that other sites show beside links to reports. The program that draws is loaded with the first card.
 * @param program the file `index_bg.wasm` of the package `@resvg/resvg-wasm`, compiled or as bytes
 */
export function cards(program: CardProgram): AnswerExtra {
  let loading: Promise<(svg: string) => Uint8Array> | null = null;
  const load = () => {
    loading ??= import("./draw.js").then(({ loadCardProgram }) => loadCardProgram(program));
    return loading;
  };
  return { ...CARD_PAGES, rasterize: queued(async (svg) => (await load())(svg)) };
}
