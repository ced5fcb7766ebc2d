import { toolDigest } from "../build/tool.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { badge } from "../pages/report/badge.js";
import { cardSvg } from "../pages/report/card.js";
import { readDrawn } from "../pages/report/excerpt.js";
import { reportMarkdown } from "../pages/report/report-markdown.js";
import { reportPage } from "../pages/report/report-page.js";
import { directoryOf } from "../store/directory-facts.js";
import type { AnswerLocation, ListingEntry } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { ListingFile } from "./files.js";
import { type HostFiles, hostFiles } from "./hosts.js";
import type { TreeLayout } from "./layout.js";
import { LinkRewriter } from "./links.js";

/** Everything besides a report that determines the bytes of its pages: the program, the directory and the layout. */
export interface Edition {
  /** Identifies the edition: the same report and edition always give the same bytes of a page. */
  readonly id: string;
  readonly context: PageContext;
  readonly layout: TreeLayout;
  /** The path below which the tree is published, with a slash at both ends. */
  readonly base: string;
  readonly links: LinkRewriter;
  /** What its host reads. */
  readonly printed: HostFiles;
}

/** The edition of a snapshot's pages. @param root the tree's absolute path @throws BadSnapshotError */
export async function editionOf(
  snapshot: StoredSnapshot,
  layout: TreeLayout,
  root: string,
): Promise<Edition> {
  const context = { ...(await directoryOf(snapshot)), hasCards: layout.hasCards };
  const program = toolDigest();
  const id = shortDigest(sha256(JSON.stringify([program, context, layout])));
  const base = new URL(context.siteUrl).pathname.replace(/(?<!\/)\/*$/, "/");
  const printed = hostFiles(layout.host, root, base);
  const links = new LinkRewriter(layout, context.siteUrl);
  return { id, context, layout, base, links, printed };
}

/** Reads a stored answer. */
type ReadAnswer = (location: AnswerLocation) => Promise<Uint8Array>;

/** Remembers the last answer, because several files in a row are made of the same one. */
export function rememberingLast(read: ReadAnswer): ReadAnswer {
  let last = "";
  let answer: Promise<Uint8Array> = Promise.resolve(new Uint8Array());
  return (location) => {
    if (location[2] !== last) answer = read(location);
    last = location[2];
    return answer;
  };
}

type ListedEntry = Pick<ListingEntry, "host" | "search" | "publishedScan">;

/**
 * The content that a listing's file must have. A stored answer is read only once its bytes are requested.
 * @param path the file's path
 */
export async function expectedFile(
  { form, location }: Pick<ListingFile, "form" | "location">,
  entry: ListedEntry,
  path: string,
  edition: Edition,
  answers: ReadAnswer,
): Promise<{ length: number; hash: string; bytes: () => Promise<Uint8Array> }> {
  if (form === "answer") {
    const [, length, hash] = location;
    return { length, hash, bytes: () => answers(location) };
  }
  const made = await madeFile(form, entry, path, edition, () => answers(location));
  return { length: made.length, hash: sha256(made), bytes: () => Promise.resolve(made) };
}

async function madeFile(
  form: Exclude<ListingFile["form"], "answer">,
  { host, search, publishedScan }: ListedEntry,
  path: string,
  { context, links }: Edition,
  answer: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (form === "stub") {
    return Buffer.from(links.stub(`sites/${host}`, host, path));
  }
  const { report, left } = readDrawn(await answer());
  if (form === "card") return drawnCard(cardSvg(report, context));
  if (form === "twin") {
    // The latest report has no second file by its scan's id.
    const latest = `/sites/${host}/report.md`;
    const text = reportMarkdown(report, context, left);
    return Buffer.from(
      links.absolute(text.replaceAll(`${latest}?scan=${publishedScan})`, `${latest})`)),
    );
  }
  if (form === "badge") return Buffer.from(badge(report, context));
  const page = reportPage(report, context, left, {
    listing: search?.summary ?? null,
    figures: "fetched",
    // Another listing must not change this page.
    hasTarget: false,
    isBadgeFile: true,
  });
  return Buffer.from(links.rewrite(page, `sites/${host}`, path));
}

/** Loaded with the first card: the program takes 0.1 s and 30 MB. */
let cardProgram: Promise<(svg: string) => Uint8Array> | null = null;

async function drawnCard(svg: string): Promise<Uint8Array> {
  cardProgram ??= import("../runtime/cards/card-thread.js").then(({ openCardProgram }) =>
    openCardProgram(),
  );
  const draw = await cardProgram;
  return draw(svg);
}
