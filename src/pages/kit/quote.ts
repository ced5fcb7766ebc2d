import {
  countPassing,
  countSubject,
  FIGURES_MIN,
  type GroupFigures,
  medianScore,
  sharePassing,
} from "../../contract/figures.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { oneLine } from "./escape.js";
import { type Html, html } from "./html.js";
import { absoluteLink } from "./links.js";
import type { LinkedContext } from "./page-context.js";
import type { FigureKind } from "./page-names.js";
import { licenseName } from "./publisher-links.js";
import type { ChartFile } from "./routes.js";
import { counted, cutText, dayOf, numberOf, visible } from "./words.js";

/** A fact of a figure, as a sentence that can be quoted. */
export interface Fact {
  readonly sentence: string;
  /** The number of sites that it is about. */
  readonly n: number;
}

/** The most characters of a category's name in a sentence to quote. */
const NAME_MAX = 80;

/** A category as the group of a fact, after `in`. */
export function categoryGroup({ slug, name }: Pick<TaxonomyEntry, "slug" | "name">): string {
  return `the category ${cutText(oneLine(visible(name) ?? slug), NAME_MAX)}`;
}

/** The median score of a group, as a fact; null if no site has a score. @param group its name, after `in` */
export function scoresFact(
  figures: Pick<GroupFigures, "scored" | "scores">,
  group: string,
): Fact | null {
  const median = medianScore(figures);
  if (median === null) return null;
  const { scored, scores } = figures;
  const full = scores.find(([score]) => score === 100)?.[1] ?? 0;
  const perfect = full === 0 ? "" : `, and ${numberOf(full)} ${full === 1 ? "has" : "have"} 100`;
  return {
    sentence:
      `The median score of the ${counted(scored, "scored site")} in ${group} is ${numberOf(median)} of ` +
      `100 for how readable they are to AI crawlers${perfect}.`,
    n: scored,
  };
}

/** A check of a methodology, as charts name it. */
export interface NamedCheck {
  readonly id: string;
  readonly name: string;
  /** Whether it can bring points. */
  readonly isScored: boolean;
}

/** The active checks of the methodology that summaries mention, those that can bring points first. */
export function namedChecks({ checks }: Pick<Standards, "checks">): NamedCheck[] {
  return checks
    .filter(({ kind, lifecycle }) => kind !== "penalty" && lifecycle === "active")
    .map(({ id, name, kind }) => ({
      id,
      name: visible(name) ?? id,
      isScored: kind === "achievement",
    }))
    .sort((a, b) => Number(b.isScored) - Number(a.isScored));
}

/** A check that sites of a group do not pass, or only in part. */
export interface FailedCheck extends NamedCheck {
  readonly failing: number;
  /** The sites to which the check applies. */
  readonly subject: number;
}

/**
 * The checks that can bring points and that some sites of a group do not pass: the greatest share first, then those
 * that apply to few sites. Small numbers count, too, because the pages of the sites name them anyway.
 */
export function mostFailed(figures: GroupFigures, checks: readonly NamedCheck[]): FailedCheck[] {
  return checks
    .filter(({ isScored }) => isScored)
    .map((check) => {
      const subject = countSubject(figures, check.id);
      return { ...check, subject, failing: subject - countPassing(figures, check.id) };
    })
    .filter(({ failing }) => failing > 0)
    .sort(
      (a, b) =>
        Number(isOfFew(a)) - Number(isOfFew(b)) ||
        missedShare(b) - missedShare(a) ||
        b.subject - a.subject,
    );
}

/** Whether a check applies to so few sites that their share is not shown. */
export function isOfFew({ subject }: FailedCheck): boolean {
  return subject < FIGURES_MIN;
}

function missedShare({ failing, subject }: FailedCheck): number {
  return failing / subject;
}

/** The check that the greatest share of a group does not pass; null if all pass everything. */
export function checksFact(
  figures: GroupFigures,
  checks: readonly NamedCheck[],
  group: string,
): Fact | null {
  const missed = mostFailed(figures, checks);
  const [worst] = missed;
  if (worst === undefined) return null;
  const { name, subject, failing } = worst;
  const isBeaten = missed.some((one) => missedShare(one) > missedShare(worst));
  const others = isBeaten ? `no check that applies to at least ${FIGURES_MIN} sites` : "no check";
  return {
    sentence:
      `In ${group}, ${numberOf(failing)} of the ${counted(subject, "site")} to which the check ` +
      `“${oneLine(name)}” applies ${failing === 1 ? "does" : "do"} not pass it in full; ${others} is ` +
      "missed by a greater share.",
    n: subject,
  };
}

/** How many sites pass a check, as a fact; null if it applies to too few sites to say. */
export function checkFact(
  figures: GroupFigures,
  { id, name }: { readonly id: string; readonly name: string },
  group: string,
): Fact | null {
  const n = countSubject(figures, id);
  if (n < FIGURES_MIN) return null;
  const passing = countPassing(figures, id);
  const share = sharePassing(figures, id);
  const percent = typeof share === "number" ? ` (${share}%)` : "";
  return {
    sentence:
      `In ${group}, ${numberOf(passing)} of the ${counted(n, "site")} to which the check ` +
      `“${oneLine(name)}” applies${percent} ${passing === 1 ? "passes" : "pass"} it in full.`,
    n,
  };
}

/** The page that shows a fact. */
interface FactPage {
  /** The page's address, relative to `/`. */
  readonly address: string;
  readonly lastScannedAt: string | null;
}

/** The page and the chart that show a fact. */
interface FactSource extends FactPage {
  /** Null if no chart shows the fact. */
  readonly kind: FigureKind | null;
  /** The category's slug; null for the whole directory. */
  readonly slug: string | null;
}

/**
 * A fact with its number of sites, date, source and license, to copy; and its chart, to download. Null without a
 * fact.
 */
export function quoteView(
  fact: Fact | null,
  { kind, slug, ...page }: FactSource,
  context: LinkedContext,
): Html | null {
  if (fact === null) return null;
  const { pages = [], hasPictures = false } = context;
  const files = pages.flatMap(({ chartFiles }) =>
    kind === null ? [] : (chartFiles?.(kind, slug, hasPictures) ?? []),
  );
  return quotedFact(fact, page, files, context);
}

/** A fact to copy, and the files of its chart to download. */
export function quotedFact(
  fact: Fact,
  { address, lastScannedAt }: FactPage,
  files: readonly ChartFile[],
  context: LinkedContext,
): Html {
  const license = visible(licenseName(context));
  const scans = lastScannedAt === null ? "" : `, scans up to ${dayOf(lastScannedAt)}`;
  const terms = license === null ? "" : ` (license: ${oneLine(license)})`;
  // The address comes last, so that no full stop gets into it.
  const source = `Source: ${oneLine(context.name)}${terms}, ${absoluteLink(address, context)}`;
  const text = `${fact.sentence} (n = ${numberOf(fact.n)}${scans}) ${source}`;
  const links = files.map(
    (file) => html`<a href="${context.to(file.address)}" download>${file.format}</a>`,
  );
  const isFile = links.length > 0;
  return html`<details class="quote"><summary>${isFile ? "Quote or download this" : "Quote this"}</summary>
<pre data-copy="Copy the sentence">${text}</pre>
${isFile ? html`<p class="near">${links}</p>` : null}</details>
`;
}
