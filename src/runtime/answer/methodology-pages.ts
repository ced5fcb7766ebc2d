import { changesPage } from "../../pages/changes/changes-page.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { directoryCardSvg } from "../../pages/report/card.js";
import { readDrawn } from "../../pages/report/excerpt.js";
import { checkPage } from "../../pages/standards/check-page.js";
import { standardsPage } from "../../pages/standards/standards-page.js";
import { checkSites } from "./check-sites.js";
import { drawnContent, type Failure, isFailure, type SnapshotView } from "./content.js";
import { NO_ADDRESS } from "./error-answers.js";
import { type CardQueue, drawnImage, fileContent } from "./page-bodies.js";
import { adoptionOf, exampleHost, standardsOf } from "./page-facts.js";
import type { PageContent } from "./page-types.js";
import { publicationChanges } from "./publication-changes.js";

/* The contents of pages about the whole directory: its methodology, its checks, what changed, and its card. Each rejects as `standardsOf`. */

export async function standardsContent(
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent> {
  const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
  const host = await exampleHost(snapshot);
  const stored = host === null ? null : await drawnContent(snapshot, host, undefined);
  const drawn = stored === null || isFailure(stored) ? null : readDrawn(await stored.read());
  // An excerpt may lack checks of the sum.
  const example = drawn === null || "checks" in drawn.left ? null : drawn.report;
  const page = standardsPage(standards, context, adoption, example);
  return fileContent("standardsPage", page, snapshot);
}

export async function changesContent(
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent> {
  const [{ checks }, publications] = [
    await standardsOf(snapshot),
    await publicationChanges(snapshot),
  ];
  return fileContent("changes", changesPage(publications, checks, context), snapshot);
}

export async function checkContent(
  id: string,
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent | Failure> {
  const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
  const check = standards.checks.find((one) => one.id === id);
  if (check === undefined) return NO_ADDRESS;
  const shown = { check, adoption, ...(await checkSites(check, snapshot)) };
  return fileContent("checkPage", checkPage(standards, shown, context), snapshot);
}

/** @param cards null if nothing can draw cards */
export async function directoryCardContent(
  cards: CardQueue | null,
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent | Failure> {
  if (cards === null) return NO_ADDRESS;
  const { figures } = await adoptionOf(snapshot);
  return drawnImage("card", directoryCardSvg(figures.all, context), "", cards, snapshot);
}
