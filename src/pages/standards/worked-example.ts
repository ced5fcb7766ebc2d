import type { Check, Report } from "../../contract/report.js";
import type { Standards } from "../../contract/standards.js";
import { type Html, html } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import type { Section } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { dayOf, numberOf, PART_NAMES, visible } from "../kit/words.js";

const RESULTS = { pass: "Passed", warn: "Passed in part", fail: "Failed", na: "Does not apply" };

/** One report, check by check, up to its score; null if it lacks any number that the sum needs. */
export function workedExample(report: Report, standards: Standards, to: LinkTo): Section | null {
  const { site, scan, checks } = report;
  const { score, block1, block2, cappedAt } = scan;
  if (score === null || block1 === null || block2 === null || checks.length === 0) return null;
  if (scan.scoreVersion !== standards.rubric.version) return null;
  const taken = Math.abs(scan.penalties ?? 0);
  const sum = block1 + block2 - taken;
  const known = new Set(standards.checks.map(({ id }) => id));
  const rowsOf = (belongs: (check: Check) => boolean) =>
    checks.filter(belongs).map(({ checkId, label, status, points, maxPoints, kind }) => {
      const name = visible(label) ?? checkId;
      const own = known.has(checkId)
        ? html`<a href="${to(checkAddress(checkId))}">${name}</a>`
        : name;
      const number = kind === "penalty" ? -Math.abs(points) : points;
      return html`<tr><td dir="auto">${own}</td><td>${RESULTS[status]}</td>
        <td class="number">${numberOf(number)}</td>
        <td class="number">${kind === "penalty" ? null : numberOf(maxPoints)}</td></tr>`;
    });
  const group = (title: string, points: number, most: number | null, rows: readonly Html[]) =>
    html`<tbody>${rows}<tr class="sum"><th scope="row" colspan="2">${title}</th>
      <td class="number">${numberOf(points)}</td><td class="number">${most === null ? null : numberOf(most)}</td>
      </tr></tbody>`;
  const inBlock = (block: number) => (check: Check) =>
    check.kind === "achievement" && check.block === block && check.maxPoints > 0;
  const isTaking = ({ kind, status }: Check) => kind === "penalty" && status === "fail";
  const { block1Points, block2Points } = standards.rubric;
  const steps =
    `${numberOf(block1)} + ${numberOf(block2)}${taken === 0 ? "" : ` − ${numberOf(taken)}`} = ` +
    `${numberOf(sum)} points`;
  const body = html`<p class="measure">This is how <a href="${to(`sites/${site.host}`)}">the report of ${site.host}
    </a> of ${dayOf(scan.finishedAt)} comes to its score: ${steps}${cappedAt === null ? "" : `, but the homepage is an empty shell, so the score ends at ${cappedAt}`}. The score is ${numberOf(score)}${cappedAt !== null || sum === score ? "" : ", a whole number from 0 to 100"}.</p>
<div class="scroll" role="region" aria-label="Table: A report worked through" tabindex="0"><table class="worked">
  <caption class="hidden">The checks of ${site.host} and their points</caption><thead><tr><th scope="col">Check</th>
  <th scope="col">Result</th><th scope="col" class="number">Points</th><th scope="col" class="number">Out of</th>
  </tr></thead>
${group(PART_NAMES.block1, block1, block1Points, rowsOf(inBlock(1)))}
${group(PART_NAMES.block2, block2, block2Points, rowsOf(inBlock(2)))}
${group(PART_NAMES.penalties, -taken, null, rowsOf(isTaking))}
<tfoot><tr><th scope="row" colspan="2">Score${cappedAt === null ? "" : `, capped at ${cappedAt}`}</th>
  <td class="number">${numberOf(score)}</td><td class="number">100</td></tr></tfoot></table></div>`;
  return { id: "example", title: "A report worked through", body };
}
