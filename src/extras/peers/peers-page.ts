import { STYLES } from "#scripts/names";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html, paragraph, timeElement } from "../../pages/kit/html.js";
import { linkedFrom } from "../../pages/kit/links.js";
import { contentsList } from "../../pages/kit/lists.js";
import {
  checkAnchor,
  checkLinks,
  type LinkedContext,
  type PageContext,
  type Section,
} from "../../pages/kit/page-context.js";
import { categoryAddress } from "../../pages/kit/page-names.js";
import { siteLink } from "../../pages/kit/site-row.js";
import {
  counted,
  cutText,
  dayOf,
  hostText,
  joined,
  numberOf,
  visible,
} from "../../pages/kit/words.js";
import { evidenceHtml } from "../../pages/report/evidence.js";
import type { NewPeer, Peer, PeersOfCheck, PeersShown } from "./peers.js";

/** The address of the page, relative to `/`. @param slug of a category */
export function peersAddress(slug: string): string {
  return `peers/${slug}`;
}

/** The most characters of the category's name in titles. */
const NAME_MAX = 100;

/** The page of a category: for each check that some of its sites fail, the sites that pass it. */
export function peersPage({ category, checks }: PeersShown, unlinked: PageContext): string {
  const address = peersAddress(category.slug);
  const context = linkedFrom(address, unlinked);
  const directory = oneLine(context.name);
  const name = cutText(oneLine(visible(category.name) ?? category.slug), NAME_MAX);
  const sections = checks.map((one) => checkSection(one, context));
  const none = html`<p>No site of this category fails a check that brings points.</p>`;
  const body = html`<main id="peers" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${context.to(categoryAddress(category.slug))}"><bdi>${name}</bdi></a></p>
<h1>Who passes what in <bdi>${name}</bdi></h1>
<p class="lead">For each check that some of these sites fail: who passes it with the highest scores, what the scan saw 
  there, and who newly passes it.</p>
</div></div>
<div class="wide columns">
${sections.length < 2 ? null : contentsList(sections)}
<div class="sections">
${sections.length === 0 ? none : sections.map(sectionHtml)}
</div>
</div>
</main>`;
  return framed(
    {
      title: `Who passes which check in ${name} · ${directory}`,
      description:
        `Sites in ${name} that pass the checks which others fail, what scans saw there, and which of them ` +
        "newly pass a check.",
      address,
      style: STYLES.report,
      main: "peers",
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

function sectionHtml({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" dir="auto">${title}</h2>
${body}
</section>
`;
}

function checkSection({ check, peers, newPeers }: PeersOfCheck, context: LinkedContext): Section {
  const { id, name, failing, subject } = check;
  const link = checkLinks(context)(id);
  const how =
    link && html` <a href="${link}">How it is checked<span class="hidden"> (${name})</span></a>`;
  const passed = `${numberOf(subject - failing)} of ${counted(subject, "site")} to which it applies pass it.`;
  const newly = html`<h3>Newly passing</h3>
<ul class="lines">${newPeers.map((one) => newPeerLine(one, context))}</ul>`;
  const body = html`<p class="quiet">${passed}${how}</p>
${peers.length === 0 ? null : html`<ol class="checks">${peers.map((one) => peerItem(one, context))}</ol>`}
${newPeers.length === 0 ? null : newly}`;
  return { id: checkAnchor(id), title: name, body };
}

function peerItem({ site, result }: Peer, context: LinkedContext): Html {
  const label = visible(site.name) ?? hostText(site.host);
  return html`<li class="check"><h3>${siteLink(site, context)}</h3>
    ${result && paragraph(result.check.summary)}
    ${result && evidenceHtml(result.check, label, result.report)}</li>`;
}

function newPeerLine(
  { site, publishedAt, score, others, lost }: NewPeer,
  context: LinkedContext,
): Html {
  const published = timeElement(publishedAt, dayOf(publishedAt));
  const moved = score === null || score.from === score.to ? null : moveText(score, others, lost);
  return html`<li class="pass"><span>${siteLink(site, context)}</span> 
    <span class="quiet">published ${published}${moved && `: ${moved}`}</span></li>`;
}

/** The move of a score, which all checks of the change have caused: `score 0 → 60, with 2 other checks`. */
function moveText({ from, to }: NonNullable<NewPeer["score"]>, others: number, lost: number) {
  const gained = others === 0 ? null : `with ${counted(others, "other check")}`;
  const gone = lost === 0 ? null : `${counted(lost, "check")} lost`;
  return joined([`score ${from} → ${to}`, gained, gone], ", ");
}
