import type { Extra } from "../../extra.js";
import { CARD_OPTIONS } from "./options.js";
import { CARD_PAGES } from "./pages.js";
import { queued } from "./queue.js";

/** Loaded with the first card, because the program takes 0.1 s and 30 MB. */
let program: Promise<(svg: string) => Uint8Array> | null = null;

async function draw(svg: string): Promise<Uint8Array> {
  program ??= import("./card-thread.js").then(({ openCardProgram }) => openCardProgram());
  return (await program)(svg);
}

/** Pictures of scores that other sites show beside links, and the PNGs of all other pictures. */
export const cards: Extra = {
  ...CARD_PAGES,
  rasterize: queued(draw),
  options: CARD_OPTIONS,
  openRasterizer: async () => {
    const { CardThread } = await import("./card-thread.js");
    const thread = new CardThread();
    return {
      rasterize: queued((svg) => thread.draw(svg)),
      close: () => thread.close(),
    };
  },
  exportsPictures: ({ cards: isOn = false }) => isOn,
};
