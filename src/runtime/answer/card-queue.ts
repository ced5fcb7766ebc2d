/** Makes a PNG of a card's SVG. */
export type DrawCard = (svg: string) => Promise<Uint8Array>;

/** Cards that may wait for their turn. A card takes about 25 ms, so the last one waits for less than a second. */
const WAITING_MAX = 32;

/** Draws a card once, however many requests wait for it, and few cards at once. */
export class CardQueue {
  readonly #draw: DrawCard;
  readonly #drawing = new Map<string, Promise<Uint8Array>>();

  constructor(draw: DrawCard) {
    this.#draw = draw;
  }

  /** Whether there is no room for another card. */
  isFullFor(svg: string): boolean {
    return this.#drawing.size >= WAITING_MAX && !this.#drawing.has(svg);
  }

  draw(svg: string): Promise<Uint8Array> {
    const known = this.#drawing.get(svg);
    if (known !== undefined) return known;
    const drawn = this.#draw(svg).finally(() => this.#drawing.delete(svg));
    this.#drawing.set(svg, drawn);
    return drawn;
  }
}
