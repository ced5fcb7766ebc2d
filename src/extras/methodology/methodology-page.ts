import { STYLES } from "#scripts/names";
import { madeOnce, type SnapshotView } from "../../answer/content.js";
import { standardsOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import { currentSlug } from "../../contract/former.js";
import type { Band } from "../../contract/standards.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html } from "../../pages/kit/html.js";
import { absoluteLink, linkedFrom } from "../../pages/kit/links.js";
import { numberHead, scrollingTable } from "../../pages/kit/lists.js";
import { checkLinks, type LinkedContext, type PageContext } from "../../pages/kit/page-context.js";
import {
  counted,
  NO_VALUE,
  numberOf,
  PART_NAMES,
  partNameOf,
  titleOf,
  visible,
} from "../../pages/kit/words.js";
import { mostPoints } from "../../pages/standards/standards-sections.js";
import { storedJson } from "../../store/stored-json.js";
import {
  ADDRESS,
  type CheckFacts,
  type Comparison,
  comparisonOf,
  METHODOLOGY_EXTRA,
  type Methodology,
  type ShiftFigures,
  SITES_MIN,
} from "./comparison.js";

/** Draws the page of what changed between two methodologies. */
export const METHODOLOGY_PAGE: Drawing = {
  draw: async ({ context, snapshot }) => methodologyPage(await comparisonIn(snapshot), context),
};

/** Rejects if the file of the comparison is damaged. */
const comparisonIn = madeOnce(async (snapshot: SnapshotView): Promise<Comparison> => {
  const file = snapshot.addition(METHODOLOGY_EXTRA)?.files[0];
  if (file === undefined) return comparisonOf([], await standardsOf(snapshot), null);
  return snapshot.readAdded(file, storedJson<Comparison>);
});

function methodologyPage(comparison: Comparison, unlinked: PageContext): string {
  const context = linkedFrom(ADDRESS, unlinked);
  const directory = oneLine(context.name);
  return framed(
    {
      title: `What changed in the methodology · ${directory}`,
      description:
        `What changed between the last two versions of the methodology by which ${directory} scores sites: ` +
        "checks, points and bands, and how far the scores of the sites moved.",
      address: ADDRESS,
      style: STYLES.standards,
      main: "methodology-changes",
      linkedData: {
        "@type": "WebPage",
        isPartOf: { "@type": "TechArticle", url: absoluteLink("standards", context) },
      },
      body: mainOf(comparison, context),
    },
    context,
  );
}

function mainOf(comparison: Comparison, context: LinkedContext): Html {
  const { methodologies, former } = comparison;
  const current = methodologies.at(-1);
  const before = methodologies.find(({ rubric }) => rubric.version === former?.version) ?? null;
  const isKnown = current !== undefined && former !== null;
  const lead = isKnown
    ? html`From version <bdi>${former.version}</bdi> of the methodology to version 
  <bdi>${current.rubric.version}</bdi>.`
    : html`No version of the methodology before the current one is known.`;
  return html`<main id="methodology-changes" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${context.to("standards")}">How sites are scored</a></p>
<h1>What changed in the methodology</h1>
<p class="lead">${lead}</p>
</div></div>
<div class="wide check-page">
${isKnown ? sections(comparison, current, former.bands, before, context) : null}
</div>
</main>`;
}

function sections(
  { shift }: Comparison,
  current: Methodology,
  formerBands: readonly Band[],
  before: Methodology | null,
  context: LinkedContext,
): Html {
  return html`<section aria-labelledby="scores"><h2 id="scores">Scores</h2>
<p class="measure">Scores of different versions do not compare: a site may move without having changed. 
  A report keeps the version that scored it, and the band that this version gave.</p>
${shift === null ? FEW : shiftView(shift, current.rubric.bands, formerBands)}</section>
<section aria-labelledby="bands"><h2 id="bands">Bands</h2>
${bandsTable(formerBands, current.rubric.bands)}</section>
${before && checksSection(before, current, context)}`;
}

const FEW = html`<p>Fewer than ${SITES_MIN} sites have been scanned under both versions, so how far their scores 
  moved is not shown.</p>`;

function shiftView(
  { sites, median, risen, fallen, same, bands }: ShiftFigures,
  now: readonly Band[],
  before: readonly Band[],
): Html {
  const labels = labelsOf(now);
  const direction = median === 0 ? "did not move" : median > 0 ? "rose" : "fell";
  const by = median === 0 ? "" : ` by ${counted(Math.abs(median), "point")}`;
  const rows = bands.map(
    ({ band, sites: count, from }) => html`<tr>
      <th scope="row">${labels.get(band) ?? titleOf(band)}</th>
      <td class="number">${numberOf(count)}</td>
      ${from.map(([, had]) => html`<td class="number">${numberOf(had)}</td>`)}
      </tr>`,
  );
  const columns = [
    "Band now",
    numberHead("Sites"),
    ...before.map((one) => numberHead(`was ${labelOf(one)}`)),
  ];
  const name = "Bands before and now";
  const hidden =
    bands.length < now.length
      ? html`<p class="quiet">Bands that fewer than ${SITES_MIN} of these sites 
  have are left out.</p>`
      : null;
  return html`<p>${counted(sites, "site")} in the directory ${sites === 1 ? "has" : "have"} been scanned under both 
  versions. The median score ${direction}${by}: ${numberOf(risen)} rose, ${numberOf(fallen)} fell, and 
  ${numberOf(same)} stayed the same.</p>
${rows.length === 0 ? null : scrollingTable({ name, columns }, html`<tbody>${rows}</tbody>`)}
${hidden}`;
}

function labelOf({ band, label }: Band): string {
  return visible(label) ?? titleOf(band);
}

function labelsOf(bands: readonly Band[]): Map<string, string> {
  return new Map(bands.map((one) => [one.band, labelOf(one)]));
}

/** All bands of both rubrics, the highest of the current one first. */
function bandsTable(before: readonly Band[], now: readonly Band[]): Html {
  const highestFirst = (bands: readonly Band[]) => bands.toSorted((a, b) => b.min - a.min);
  const ids = [...new Set([...highestFirst(now), ...highestFirst(before)].map(({ band }) => band))];
  const rows = ids.map((id) => {
    const [was, is] = [before, now].map((bands) => bands.find(({ band }) => band === id));
    const cell = (one: Band | undefined) =>
      one === undefined ? NO_VALUE : html`${labelOf(one)}, ${one.min} to ${one.max}`;
    const label = is ?? was;
    return html`<tr>
      <th scope="row">${label === undefined ? id : labelOf(label)}</th>
      <td>${cell(was)}</td>
      <td>${cell(is)}</td>
      </tr>`;
  });
  return scrollingTable(
    { name: "Bands", columns: ["Band", "Before", "Now"] },
    html`<tbody>${rows}</tbody>`,
  );
}

function checksSection(before: Methodology, now: Methodology, context: LinkedContext): Html {
  const linkOf = checkLinks(context);
  // A check whose id has changed is the same check.
  const byId = ({ checks }: Methodology) =>
    new Map(checks.map((one) => [currentSlug("capability", one.id, context.former), one]));
  const earlier = byId(before);
  const current = byId(now);
  const ids = new Set([...current.keys(), ...earlier.keys()]);
  const rows = [...ids].flatMap((id) => {
    const was = earlier.get(id);
    const is = current.get(id);
    const texts = [was, is].map((one) => (one === undefined ? null : checkText(one)));
    const isRenamed = was !== undefined && is !== undefined && was.name !== is.name;
    if (texts[0] === texts[1] && !isRenamed) return [];
    const name = visible((is ?? was)?.name ?? null) ?? id;
    const link = linkOf(id);
    const named = isRenamed ? html`, called <bdi>${visible(was.name) ?? id}</bdi>` : null;
    return html`<tr>
      <th scope="row" dir="auto">${link === null ? name : html`<a href="${link}">${name}</a>`}</th>
      <td>${texts[0] ?? NO_VALUE}${named}</td>
      <td>${texts[1] ?? NO_VALUE}</td>
      </tr>`;
  });
  const columns = ["Check", "Before", "Now"];
  const table = scrollingTable(
    { name: "Checks that changed", columns },
    html`<tbody>${rows}</tbody>`,
  );
  return html`<section aria-labelledby="checks"><h2 id="checks">Checks</h2>
${blocksLine(before, now)}
${rows.length === 0 ? html`<p>No check was added, removed or changed.</p>` : table}</section>`;
}

/** What a check counts for. */
function checkText(check: CheckFacts): string {
  const { kind, lifecycle, weight, maxPoints, version } = check;
  const points = mostPoints(check);
  const isWeighed = kind === "achievement" && weight !== maxPoints;
  return [
    partNameOf(check),
    counted(kind === "penalty" ? -points : points, "point"),
    ...(isWeighed ? [`weight ${numberOf(weight)}`] : []),
    ...(lifecycle === "active" ? [] : [lifecycle]),
    `version ${version}`,
  ].join(", ");
}

/** How the most points of the blocks changed; null if they stayed. */
function blocksLine({ rubric: before }: Methodology, { rubric: now }: Methodology): Html | null {
  const lines = (["block1", "block2"] as const).flatMap((block) => {
    const was = before[`${block}Points`];
    const is = now[`${block}Points`];
    if (was === is) return [];
    return html`${PART_NAMES[block]} bring up to ${counted(is, "point")} now, and brought up to ${numberOf(was)}. `;
  });
  return lines.length === 0 ? null : html`<p>${lines}</p>`;
}
