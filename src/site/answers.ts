import * as assets from "../pages/kit/asset-texts.js";
import { linkPreviewPage } from "../pages/report/report-head.js";
import { type AnswerContext, answer } from "../runtime/answer/answer.js";
import { pagesOf } from "../runtime/answer/pages.js";
import { EXTENSION_READS } from "../runtime/extensions/extensions.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { StoredListing } from "../store/snapshot-reader.js";
import type { Edition } from "./edition.js";
import { hasDirectoryCard } from "./layout.js";
import { TreeView } from "./view.js";

/** Answers the addresses of a snapshot as a server does, with links to the files of a tree. */
export class TreeAnswers {
  readonly view: TreeView;
  readonly #context: AnswerContext;
  #damage: Error | null = null;

  constructor(snapshot: StoredSnapshot, { context, layout }: Edition) {
    this.view = new TreeView(snapshot, context);
    this.#context = {
      snapshot: this.view,
      pages: pagesOf(
        async () => assets,
        hasDirectoryCard(layout) ? drawCard : undefined,
        layout.hasPreviews ? linkPreviewPage : null,
      ),
      extensions: EXTENSION_READS,
      compress: async (bytes) => bytes,
      onDamage: (error) => {
        this.#damage = error;
      },
    };
  }

  /**
   * The body of an answer.
   * @param address relative to `/`
   * @param listing the listing that the address belongs to; null if there is none
   * @throws BadSnapshotError
   */
  async body(address: string, listing: StoredListing | null = null): Promise<Uint8Array> {
    if (listing !== null) this.view.turnTo(listing);
    const facts = { method: "GET", target: `/${address}`, isForPerson: true };
    const { status, body } = await answer(facts, this.#context);
    if (this.#damage !== null) throw this.#damage;
    if (status !== 200 || body === null) throw new Error(`/${address} was answered with ${status}`);
    return body;
  }
}

/** Loaded for the first card, because the program takes 0.1 s and 30 MB. */
let cardProgram: Promise<(svg: string) => Uint8Array> | null = null;

async function drawCard(svg: string): Promise<Uint8Array> {
  cardProgram ??= import("../runtime/cards/card-thread.js").then(({ openCardProgram }) =>
    openCardProgram(),
  );
  const draw = await cardProgram;
  return draw(svg);
}
