import { slugsBefore } from "../../contract/former.js";
import { LIMITS } from "../../contract/limits.js";
import type { CheckDescription, Standards } from "../../contract/standards.js";
import { type Html, html, outsideLink } from "../kit/html.js";
import { numberHead, scrollingTable } from "../kit/lists.js";
import { checkAnchor, type LinkedContext, type Section } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import {
  bandLevel,
  counted,
  NO_VALUE,
  numberOf,
  PART_NAMES,
  titleOf,
  visible,
} from "../kit/words.js";
import { type Adoption, bandShare, checkAdoption } from "./adoption.js";

/** Explains how points become a band: the blocks, penalties and capabilities. */
export function scoringSection(
  { rubric, badgeExamples }: Standards,
  adoption: Adoption | null,
): Section {
  const { block1Points, block2Points } = rubric;
  const bands = rubric.bands.toSorted((a, b) => b.min - a.min);
  const examples = new Map(badgeExamples.map((one) => [one.band, one]));
  const shares = bands.map((band) => adoption && bandShare(band, rubric, adoption));
  const hasShares = shares.some((share) => share !== null);
  const rows = bands.map(({ band, label, min, max }, index) => {
    const example = examples.get(band);
    const extras = !example?.capabilities
      ? ""
      : `, ${counted(example.capabilities, "capability", "capabilities")}`;
    const share = html`<td class="band-share"><div>${shares[index] ?? null}</div></td>`;
    return html`<tr id="band-${band}">
      <th scope="row"><span class="swatch level-${bandLevel(band, rubric)}">${label}</span></th>
      <td class="number">${min} to ${max}</td>
      ${hasShares ? share : null}
      <td class="example">${example === undefined ? NO_VALUE : `${example.score} points${extras}`}</td>
      </tr>`;
  });
  const columns = [
    "Band",
    numberHead("Score"),
    hasShares ? "Sites" : null,
    html`<th scope="col" class="example">For example</th>`,
  ];
  const table = scrollingTable(
    { name: "Bands", caption: "Bands of the score", className: "bands", columns },
    html`<tbody>${rows}</tbody>`,
  );
  const body = html`<p class="measure">
  ${PART_NAMES.block1} bring up to <strong>${numberOf(block1Points)}</strong> points, 
  ${PART_NAMES.block2.toLowerCase()} up to <strong>${numberOf(block2Points)}</strong>. 
  Penalties take points away. ${PART_NAMES.capabilities} and experimental checks add none. 
  Where the homepage gives a crawler without a browser nothing to read, the score is capped. 
  A site that could not be scored has no score, which is not a score of zero.</p>
${scale(rubric)}
${table}
<p class="quiet">Scoring version ${rubric.version}. 
  Reports that were scored with an earlier version keep that version.</p>`;
  return { id: "scoring", title: "How a score is calculated", body };
}

/** The bands on a line from 0 to 100, with their bounds. Hidden from screen readers: the table below says the same. */
function scale(rubric: Standards["rubric"]): Html {
  const bands = rubric.bands.toSorted((a, b) => a.min - b.min);
  const parts = bands.map(({ band, min }, index) => {
    const end = bands[index + 1]?.min ?? LIMITS.scoreMax;
    const anchor = index === 0 ? "start" : "middle";
    const level = `level-${bandLevel(band, rubric)}`;
    return html`<rect class="${level}" x="${min}%" width="${end - min}%" height="16"/>
      <text x="${min}%" y="34" text-anchor="${anchor}">${min}</text>`;
  });
  return html`<svg class="scale" aria-hidden="true">${parts}
    <text x="100%" y="34" text-anchor="end">${LIMITS.scoreMax}</text></svg>`;
}

/** The names of checks by their ids. If a name is not visible, the id takes its place. */
export function checkNames({ checks }: Standards): Map<string, string> {
  return new Map(checks.map(({ id, name }) => [id, visible(name) ?? id]));
}

const NOT_COUNTED = " How many sites have one is not counted.";

/** All checks, grouped by the points or the kind that they count towards. */
export function checksSections(
  { checks, rubric }: Standards,
  names: ReadonlyMap<string, string>,
  adoption: Adoption | null,
  context: LinkedContext,
): Section[] {
  const first = numberOf(rubric.block1Points);
  const second = numberOf(rubric.block2Points);
  const groups: [string, string, string, (check: CheckDescription) => boolean][] = [
    [
      "block-1",
      `${PART_NAMES.block1}: ${first} points`,
      `A site earns up to ${first} points here: all points of a check that it passes, some of one that ` +
        "it passes in part.",
      ({ kind, block }) => kind === "achievement" && block === 1,
    ],
    [
      "block-2",
      `${PART_NAMES.block2}: ${second} points`,
      `A site earns up to ${second} points here. Experimental checks bring none.`,
      ({ kind, block }) => kind === "achievement" && block === 2,
    ],
    [
      "no-block",
      "Other achievements",
      "These count towards neither group.",
      ({ kind, block }) => kind === "achievement" && block === null,
    ],
    [
      "penalties",
      PART_NAMES.penalties,
      `Each problem found here takes points away.${adoption === null ? "" : NOT_COUNTED}`,
      ({ kind }) => kind === "penalty",
    ],
    [
      "capabilities",
      PART_NAMES.capabilities,
      "What a site may offer beyond the score. It adds no points.",
      ({ kind }) => kind === "capability",
    ],
  ];
  return groups.flatMap(([id, title, about, belongs]) => {
    // Checks with the same points stay in the publisher's order.
    const members = checks.filter(belongs).sort((a, b) => mostPoints(b) - mostPoints(a));
    if (members.length === 0) return [];
    const items = members.map((check) => checkDescriptionItem(check, names, adoption, context));
    const body = html`<p class="quiet">${about}</p>
<ul class="checks">${items}</ul>`;
    return [{ id, title, body }];
  });
}

function checkDescriptionItem(
  check: CheckDescription,
  names: ReadonlyMap<string, string>,
  adoption: Adoption | null,
  { to, former }: LinkedContext,
): Html {
  const anchor = checkAnchor(check.id);
  const anchors = slugsBefore("capability", check.id, former).map(
    (id) => html`<span id="${checkAnchor(id)}"></span>\n`,
  );
  const name = names.get(check.id) ?? check.id;
  const own = to(checkAddress(check.id));
  const hidden = html`<span class="hidden"> (${name})</span>`;
  const title = html`<p class="check-title" dir="auto">${check.title}</p>\n`;
  const overview = html`<p dir="auto">${check.overview}</p>\n`;
  return html`<li class="check" id="${anchor}" data-found>
${anchors}<div class="check-head">
  <h3 dir="auto"><a class="anchor" href="${own}">${name}</a></h3>
  <p class="outcome">${pointsText(check)}</p></div>
${check.title === check.name ? null : title}
  ${check.overview === "" ? null : overview}
  ${adoption && checkAdoption(check, name, adoption, to)}
<details class="judged"><summary>How it is judged${hidden}</summary>
${checkTexts(check)}
<p><a href="${own}">Examples, the sites that pass, and the categories${hidden}</a></p>
${checkSources(check)}
${relatedChecks(check, names, (id) => `#${checkAnchor(id)}`)}
${checkFacts(check)}</details></li>`;
}

/** Links to the related checks that the methodology has. */
export function relatedChecks(
  { related }: CheckDescription,
  names: ReadonlyMap<string, string>,
  addressOf: (id: string) => string,
): Html | null {
  const known = related.filter((id) => names.has(id));
  if (known.length === 0) return null;
  const links = known.map(
    (id, index) =>
      html`${index === 0 ? "" : ", "}<a href="${addressOf(id)}">${names.get(id) ?? id}</a>`,
  );
  return html`<p>See also: ${links}.</p>`;
}

/** Why a check matters, how it is done and what its results mean. */
export function checkTexts(check: CheckDescription): Html | null {
  const parts: [string, string][] = [
    ["Why it matters", check.whyItMatters],
    ["What is checked", check.whatWeCheck],
    ["What each result means", check.results],
    ["Limits", check.limitations],
  ];
  const texts = parts
    .filter(([, text]) => text !== "")
    .map(([term, text]) => html`<div><dt>${term}</dt><dd dir="auto">${text}</dd></div>`);
  return texts.length === 0 ? null : html`<dl class="prose">${texts}</dl>`;
}

/** The specifications behind a check. */
export function checkSources({ sourceNote, sources }: CheckDescription): Html {
  return html`${sourceNote === null ? null : html`<p dir="auto">${sourceNote}</p>`}
${sourcesList(sources.map(({ label, url }) => outsideLink(url, label)))}`;
}

/** The versions of a check, in one line. */
export function checkFacts(check: CheckDescription): Html {
  const { reviewedOn, reviewedVersion, specificationStatus } = check;
  const reviewed =
    reviewedOn === "" ? "" : `; version ${reviewedVersion} was reviewed on ${reviewedOn}`;
  const status =
    specificationStatus === "" ? "" : `Specification: ${titleOf(specificationStatus)}. `;
  return html`<p class="quiet">${titleOf(check.checkClass)}. Version ${check.version}${reviewed}. ${status}Id: 
    <code>${check.id}</code></p>`;
}

/**
 * The most points that a check adds or subtracts. A penalty's weight is the points that it subtracts: most
 * methodologies give penalties a `maxPoints` of 0.
 */
export function mostPoints({
  kind,
  lifecycle,
  maxPoints,
  weight,
}: Pick<CheckDescription, "kind" | "lifecycle" | "maxPoints" | "weight">): number {
  if (kind === "capability" || lifecycle === "experimental") return 0;
  return Math.abs(kind === "penalty" ? maxPoints || weight : maxPoints);
}

export function pointsText(check: CheckDescription): Html {
  const { kind, lifecycle } = check;
  const word =
    lifecycle === "active"
      ? null
      : html`<span class="status status-na">${titleOf(lifecycle)}</span> `;
  const most = mostPoints(check);
  const points = `Up to ${counted(most, "point")}${kind === "penalty" ? " less" : ""}`;
  return html`${word}<span class="points">${most === 0 ? "No points" : points}</span>`;
}

function sourcesList(links: readonly Html[]): Html | null {
  if (links.length === 0) return null;
  return html`<ul class="sources">${links.map((link) => html`<li>${link}</li>`)}</ul>`;
}

/** The crawlers that scans know, with links to their documentation; null if there are none. */
export function crawlersSection({ crawlerCatalogue, aiCrawlers }: Standards): Section | null {
  if (crawlerCatalogue.length + aiCrawlers.length === 0) return null;
  const purposes = new Map(
    aiCrawlers.map(({ name, operator, purpose }) => [`${operator} ${name}`, purpose]),
  );
  const items = crawlerCatalogue.map((one) => {
    const { name, operator, scanner, sources, notes, robotsToken } = one;
    const label = visible(name) ?? one.id;
    const rows: [string, Html | string][] = [
      ["Name in robots.txt", robotsToken === null ? NO_VALUE : html`<code>${robotsToken}</code>`],
      ["Calls itself", html`<code>${one.httpIdentity}</code>`],
      ["Also known as", one.aliases.length === 0 ? NO_VALUE : one.aliases.join(", ")],
      ["Uses", one.purposes.length === 0 ? NO_VALUE : one.purposes.map(titleOf).join(", ")],
      ["Verified by", titleOf(one.verification)],
      ["Scans", scannerText(scanner, purposes.get(`${operator} ${name}`))],
      ["Reviewed", one.reviewed],
    ];
    const texts = rows.map(([term, value]) => html`<dt>${term}</dt><dd dir="auto">${value}</dd>`);
    return html`<li class="check" id="${`crawler-${encodeURIComponent(one.id)}`}" data-found>
<div class="check-head">
  <h3 dir="auto">${label}</h3>
  <p class="outcome"><span class="points">${operator}</span></p></div>
<p class="check-title">${[one.group, one.kind, one.status].map(titleOf).join(" · ")}</p>
<p dir="auto">${one.summary}</p>
<details><summary>Names, uses and documentation<span class="hidden"> (${label})</span></summary>
<dl class="free">${texts}</dl>
${notes && html`<p dir="auto">${notes}</p>`}
${sourcesList(sources.map((url) => outsideLink(url)))}</details></li>`;
  });
  const known = new Set(crawlerCatalogue.map(({ name, operator }) => `${operator} ${name}`));
  const others = aiCrawlers
    .filter(({ name, operator }) => !known.has(`${operator} ${name}`))
    .map(
      ({ name, operator, purpose }) => html`<li class="check" data-found>
  <div class="check-head">
    <h4 dir="auto">${visible(name) ?? NO_VALUE}</h4>
    <p class="outcome"><span class="points">${operator}</span></p>
  </div>
  <p class="check-title">${titleOf(purpose)}</p></li>`,
    );
  const also = html`<h3>Also counted</h3><ul class="checks">${others}</ul>`;
  const body = html`<p class="quiet">The crawlers that scans know, with links to their documentation.</p>
${items.length === 0 ? null : html`<ul class="checks">${items}</ul>`}
${others.length === 0 ? null : also}`;
  return { id: "crawlers", title: "Crawlers", body };
}

function scannerText(
  {
    recognized,
    visibilityPenalty,
    trainingOptOut,
  }: Standards["crawlerCatalogue"][number]["scanner"],
  purpose: string | undefined,
): string {
  const parts = [
    recognized ? "recognise it" : "do not recognise it",
    ...(visibilityPenalty ? ["count blocking it as a penalty"] : []),
    ...(trainingOptOut ? ["treat blocking it as an opt-out from training"] : []),
    ...(purpose === undefined ? [] : [`count it under ${titleOf(purpose).toLowerCase()}`]),
  ];
  return `They ${parts.join(", ")}.`;
}
