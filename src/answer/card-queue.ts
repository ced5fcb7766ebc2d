import { PAGE_ROUTES } from "../pages/kit/routes.js";
import type { Content, Failure, SnapshotView } from "./content.js";
import { RETRY_AFTER } from "./content.js";

/** Makes a PNG of a card's SVG. */
export type DrawCard = (svg: string) => Promise<Uint8Array>;

/** Cards that may wait for their turn. A card takes about 25 ms, so the last one waits for less than a second. */
const WAITING_MAX = 32;

/** Changes with the program that draws, so that equal tags mean equal bytes. */
const CARD_VERSION = "resvg 2.6.2 ";
const TOO_MANY_CARDS: Failure = {
  status: 503,
  error: "Too many cards are being drawn; try again shortly.",
  headers: RETRY_AFTER,
};

/** Draws a card once, however many requests wait for it, and lets few cards wait. */
export class CardQueue {
  readonly #draw: DrawCard;
  readonly #drawing = new Map<string, Promise<Uint8Array>>();

  constructor(draw: DrawCard) {
    this.#draw = draw;
  }

  /** A card or a chart as PNG, which is drawn when it is read; a failure if too many others are being drawn. */
  async image(svg: string, snapshot: SnapshotView): Promise<Content | Failure> {
    if (this.#drawing.size >= WAITING_MAX && !this.#drawing.has(svg)) return TOO_MANY_CARDS;
    const digest = await snapshot.digestOf(CARD_VERSION + svg);
    const { contentType } = PAGE_ROUTES.card;
    // The length is not known until the card is drawn.
    return { digest, length: 0, isCompressed: true, contentType, read: () => this.draw(svg) };
  }

  draw(svg: string): Promise<Uint8Array> {
    const running = this.#drawing.get(svg);
    if (running !== undefined) return running;
    const drawn = this.#draw(svg).finally(() => this.#drawing.delete(svg));
    this.#drawing.set(svg, drawn);
    return drawn;
  }
}
