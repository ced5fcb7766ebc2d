import { FIGURES_DOCUMENT } from "../../contract/figures.js";
import { NO_INDEX, PAGE_ROUTES, type PageName, pageHeaders } from "../../pages/kit/routes.js";
import { type Content, documentContent, type Failure, type SnapshotView } from "./content.js";
import { RETRY_AFTER } from "./error-answers.js";
import type { PageContent } from "./page-types.js";

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
    const running = this.#drawing.get(svg);
    if (running !== undefined) return running;
    const drawn = this.#draw(svg).finally(() => this.#drawing.delete(svg));
    this.#drawing.set(svg, drawn);
    return drawn;
  }
}

/* The contents of pages and of the files beside them, made of their texts or bytes. */

/** Changes with the program that draws, so that equal tags mean equal bytes. */
const CARD_VERSION = "resvg 2.6.2 ";
const TOO_MANY_CARDS: Failure = {
  status: 503,
  error: "Too many cards are being drawn; try again shortly.",
  headers: RETRY_AFTER,
};
/** A card or a chart as PNG, which is drawn when it is read; a failure if too many others are being drawn. */
export async function drawnImage(
  name: "card" | "figure",
  svg: string,
  host: string,
  queue: CardQueue,
  snapshot: SnapshotView,
): Promise<PageContent | Failure> {
  if (queue.isFullFor(svg)) return TOO_MANY_CARDS;
  const { contentType } = PAGE_ROUTES.card;
  const headers = pageHeaders(name, host, "", false);
  const digest = await snapshot.digestOf(CARD_VERSION + svg);
  // The length is not known until the card is drawn.
  return {
    digest,
    length: 0,
    isCompressed: true,
    read: () => queue.draw(svg),
    contentType,
    headers,
  };
}

export async function fileContent(
  name: PageName,
  text: string,
  snapshot: SnapshotView,
  host = "",
): Promise<PageContent> {
  const { contentType } = PAGE_ROUTES[name];
  const headers = pageHeaders(name, host, "", false);
  return { ...(await bodyOf(text, snapshot)), contentType, headers };
}

export function figuresContent(snapshot: SnapshotView): PageContent {
  const { contentType } = PAGE_ROUTES.figures;
  const headers = pageHeaders("figures", "", "", false);
  return { ...documentContent(snapshot, FIGURES_DOCUMENT), contentType, headers };
}

export async function imageContent(
  name: PageName,
  bytes: Uint8Array,
  snapshot: SnapshotView,
): Promise<PageContent> {
  const { contentType } = PAGE_ROUTES[name];
  const headers = pageHeaders(name, "", "", false);
  return { ...(await madeContent(bytes, snapshot)), isCompressed: true, contentType, headers };
}

const encoder = new TextEncoder();

export function bodyOf(text: string, snapshot: SnapshotView): Promise<Content> {
  return madeContent(encoder.encode(text), snapshot);
}

async function madeContent(bytes: Uint8Array, snapshot: SnapshotView): Promise<Content> {
  const digest = await snapshot.digestOf(bytes);
  return { digest, length: bytes.length, read: async () => bytes };
}

/** A page with a choice in its address is not for search engines. */
export function withQuery(content: PageContent, query: string): PageContent {
  return query === "" ? content : { ...content, headers: { ...content.headers, ...NO_INDEX } };
}
