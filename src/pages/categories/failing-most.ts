import { countPassing, countSubject } from "../../contract/figures.js";
import { type Html, html, shareBar } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import { checkAnchor } from "../kit/page-context.js";
import { numberOf } from "../kit/words.js";
import type { CategoryShown } from "./category-page.js";

/** The most checks that the chart shows. */
const SHOWN_MAX = 8;

/** A check that sites of a group do not pass, or only in part. */
interface FailedCheck {
  readonly id: string;
  readonly name: string;
  readonly failing: number;
  /** The sites to which the check applies. */
  readonly subject: number;
}

/**
 * The checks that can bring points and that the greatest shares of a group do not pass. Small numbers are shown, too,
 * because the matrix names the sites anyway.
 */
export function mostFailed({
  figures,
  checks,
}: Pick<CategoryShown, "figures" | "checks">): FailedCheck[] {
  return checks
    .filter(({ isScored }) => isScored)
    .map(({ id, name }) => {
      const subject = countSubject(figures, id);
      return { id, name, subject, failing: subject - countPassing(figures, id) };
    })
    .filter(({ failing }) => failing > 0)
    .sort((a, b) => b.failing / b.subject - a.failing / a.subject || b.subject - a.subject)
    .slice(0, SHOWN_MAX);
}

/** `12 of 15`. */
export function failedText({ failing, subject }: FailedCheck): string {
  return `${numberOf(failing)} of ${numberOf(subject)}`;
}

/** A chart of what the sites of a category fail most; null if they pass everything. @param quote the chart's fact */
export function failingMost(shown: CategoryShown, quote: Html | null, to: LinkTo): Html | null {
  const failed = mostFailed(shown);
  if (failed.length === 0) return null;
  return html`<section id="fail" aria-labelledby="fail-title"><h2 id="fail-title">Not passed most often</h2>
<p class="quiet measure">How many sites do not pass a check, or only in part, of those to which it applies.</p>
<ol class="shares">${failed.map(
    (one) =>
      html`<li><a href="${to(`standards#${checkAnchor(one.id)}`)}" dir="auto">${one.name}
        </a> ${shareBar((100 * one.failing) / one.subject)}<span class="share">${failedText(one)}</span></li>`,
  )}</ol>
${quote}</section>
`;
}
