import { STYLES } from "#scripts/names";
import type { NamedSite } from "../../contract/listing.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html, movedView, timeElement, unseen } from "../../pages/kit/html.js";
import { linkedFrom, subscribeLink } from "../../pages/kit/links.js";
import { scrollingTable } from "../../pages/kit/lists.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { checkAddress } from "../../pages/kit/page-names.js";
import { scoreTag } from "../../pages/kit/site-row.js";
import {
  counted,
  dayOf,
  hostText,
  levelOf,
  NO_VALUE,
  numberOf,
  visible,
} from "../../pages/kit/words.js";
import {
  CHANGE_KINDS,
  type ChangeKind,
  LIST_PAGE_SIZE,
  type ListName,
  listAddress,
  PERIOD_DAYS,
} from "./list-names.js";
import { type ChangedSite, differenceOf, type Period, type Periods } from "./periods.js";
import { REMOVAL_NAMED_DAYS } from "./stored-changes.js";

const ADDRESS = "changes";

/** What the pages show of the sites that they name: by host, those that are in search. */
export type Sites = ReadonlyMap<string, NamedSite>;

/** The sites of a column. The rest is in a list. */
export const COLUMN_MAX = 25;

/** What lists say of each kind of change. */
const KINDS: Readonly<Record<ChangeKind, { readonly title: string; readonly about: string }>> = {
  risen: {
    title: "Risen",
    about: "Their scores are higher than before, by the same methodology.",
  },
  fallen: {
    title: "Fallen",
    about: "Their scores are lower than before, by the same methodology.",
  },
  scored: { title: "Newly scored", about: "They have a score, and had none before." },
  unscored: {
    title: "No longer scored",
    about: "They had a score before, and have none now. Their reports say why.",
  },
  new: { title: "New", about: "They have entered the directory." },
  returned: {
    title: "Returned",
    about: `They had been removed in the last ${PERIOD_DAYS.month} days, and are back.`,
  },
  gone: {
    title: "Gone",
    about: `They are no longer in the directory. They are named for ${REMOVAL_NAMED_DAYS} days.`,
  },
};

/** The page of what changed. @param names of checks, by their ids */
export function changesPage(
  found: Periods,
  sites: Sites,
  names: ReadonlyMap<string, string>,
  unlinked: PageContext,
): string {
  const context = linkedFrom(ADDRESS, unlinked);
  const directory = oneLine(unlinked.name);
  const [latest] = found.periods;
  const body = html`<main id="changes" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>What changed</h1>
<p class="lead">Scores and checks of the sites in this directory, compared with its earlier publications.</p>
${subscribeLink(context)}
</div></div>
<div class="wide check-page">
${latestView(found, sites, COLUMN_MAX, context)}
${latest === undefined ? null : checksView(latest, sites, names, context)}
</div>
</main>`;
  return framed(
    {
      title: `What changed · ${directory}`,
      description:
        `Which sites of ${directory} rose, fell, got or lost a score, are new, have returned or are gone since ` +
        "its earlier publications, and which checks they gained or lost.",
      address: ADDRESS,
      style: STYLES.standards,
      main: "changes",
      linkedData: {
        "@type": "WebPage",
        isPartOf: { "@type": "WebSite", url: context.siteUrl, name: directory },
      },
      body,
    },
    context,
  );
}

/**
 * The section about the latest publications: the numbers of each period, which lead to lists, and the sites that moved
 * farthest in the last publication.
 * @param most the sites in a column
 * @param more what comes last, if anything has changed
 */
export function latestView(
  { periods, isCut }: Periods,
  sites: Sites,
  most: number,
  context: LinkedContext,
  more: Html | null = null,
): Html {
  const cut = html`<p>So much has changed since then that it is not listed.</p>`;
  const [latest] = periods;
  if (latest === undefined) {
    const none = html`<p>There is no earlier publication to compare with yet. 
  <a href="${context.to("?sort=recent")}">See the sites that were scanned last</a>.</p>`;
    return html`<section aria-labelledby="latest"><h2 id="latest">Since the last publication</h2>
${isCut ? cut : none}</section>`;
  }
  const columns = [
    columnView(latest, "risen", "No score rose.", sites, most, context),
    columnView(latest, "fallen", "No score fell.", sites, most, context),
  ];
  return html`<section aria-labelledby="latest"><h2 id="latest">What changed lately</h2>
${numbersTable(periods, context)}
${isCut ? html`<p class="quiet">In a longer time, so much has changed that it is not listed.</p>` : null}
<h3>${periodText(latest)}</h3>
<div class="pair">${columns}</div>
${more}</section>`;
}

/** `The last publication, 9 August 2026`; `30 days, publications of 11 July to 9 August 2026`. */
function periodText({ id, days }: Period): string {
  const published = daysText(days);
  return id === "last"
    ? `The last publication, ${published}`
    : `${PERIOD_DAYS[id]} days, publications of ${published}`;
}

/** The first and the last of some days: `31 October to 28 November 2026`. */
function daysText(days: readonly string[]): string {
  const first = dayOf(days[0] ?? "").split(" ");
  const last = dayOf(days.at(-1) ?? "").split(" ");
  if (days.length === 1) return last.join(" ");
  // The words that both have are written once.
  while (first.length > 1 && first.at(-1) === last[first.length - 1]) first.pop();
  return `${first.join(" ")} to ${last.join(" ")}`;
}

/** The numbers of sites by kind and period. Each leads to the list of these sites. */
function numbersTable(periods: readonly Period[], { to }: LinkedContext): Html {
  const rows = CHANGE_KINDS.map((kind) => {
    const cells = periods.map(({ id, lists }) => {
      const count = lists[kind].length;
      const shown = html`<b>${numberOf(count)}</b>`;
      return html`<td class="count">${
        count === 0 ? shown : html`<a href="${to(listAddress(id, kind))}">${shown}</a>`
      }</td>`;
    });
    const { title, about } = KINDS[kind];
    return html`<tr><th scope="row">${title} <span class="quiet">${about}</span></th>${cells}</tr>`;
  });
  const heads = periods.map(({ id, days }) => {
    const name = id === "last" ? LAST : html`${PERIOD_DAYS[id]} days`;
    const of = id === "last" ? null : html`<span class="long">publications of </span>`;
    return html`<th scope="col">${name} <span class="quiet">${of}${daysText(days)}</span></th>`;
  });
  const columns = ["Sites", ...heads];
  const head = { name: "Sites that changed", className: "numbers", columns };
  return scrollingTable(head, html`<tbody>${rows}</tbody>`);
}

const LAST = html`Last<span class="long"> publication</span>`;

function columnView(
  { id, lists }: Period,
  kind: "risen" | "fallen",
  none: string,
  sites: Sites,
  most: number,
  context: LinkedContext,
): Html {
  const all = lists[kind];
  const title = html`<h4>${kind === "risen" ? "Risen most" : "Fallen most"}</h4>`;
  if (all.length === 0) return html`<div>${title}<p class="quiet">${none}</p></div>`;
  const rest =
    all.length > most
      ? html`<p><a href="${context.to(listAddress(id, kind))}">All ${counted(all.length, "site")} that 
        ${kind === "risen" ? "rose" : "fell"}</a></p>`
      : null;
  return html`<div>${title}${movesList(all.slice(0, most), sites, context)}${rest}</div>`;
}

function movesList(moves: readonly ChangedSite[], sites: Sites, context: LinkedContext): Html {
  return html`<ol class="moves">${moves.map((one) => html`<li>${moveLine(one, sites, context)}</li>`)}</ol>`;
}

/** A site with its score before and after, in columns of fixed width. */
function moveLine(one: ChangedSite, sites: Sites, context: LinkedContext): Html {
  const { host, from, to } = one;
  const site = sites.get(host);
  const name = siteName(host, site, context);
  if (site === undefined) return name;
  const score = scoreTag(
    levelOf({ band: site.latestBand, scoreVersion: site.latestScoreVersion }, context),
    to ?? NO_VALUE,
  );
  const what = unseen(to === null ? "no score " : "score ");
  if (from === null) return html`${name} <span class="move">${what}${score}</span>`;
  const moved = to === null ? null : html` ${movedView(differenceOf(one))}`;
  return html`${name} <span class="move"><span class="from">${from}</span> 
    <span aria-hidden="true">→</span>${unseen(" to ")} ${to === null ? what : null}${score}${moved}</span>`;
}

function siteName(host: string, site: NamedSite | undefined, { to }: LinkedContext): Html {
  const text = html`<bdi>${visible(site?.name ?? null) ?? hostText(host)}</bdi>`;
  return html`<span class="moved-site">${
    site === undefined ? text : html`<a href="${to(`sites/${host}`)}">${text}</a>`
  }</span>`;
}

/** The checks that sites gained or lost, with the first of these sites. */
function checksView(
  { checks }: Period,
  sites: Sites,
  names: ReadonlyMap<string, string>,
  context: LinkedContext,
): Html | null {
  const rows = checks.flatMap(({ checkId, gained, lost }) => {
    const name = names.get(checkId);
    if (name === undefined) return [];
    return html`<tr>
      <th scope="row" dir="auto"><a href="${context.to(checkAddress(checkId))}">${visible(name) ?? checkId}</a></th>
      <td>${siteLinks(gained, sites, context)}</td>
      <td>${siteLinks(lost, sites, context)}</td>
      </tr>`;
  });
  if (rows.length === 0) return null;
  const columns = ["Check", "Newly passed by", "No longer passed by"];
  return html`<section aria-labelledby="gained"><h2 id="gained">Checks gained and lost</h2>
<p class="quiet">In the last publication, by sites that were in the directory before.</p>
${scrollingTable({ name: "Checks gained and lost", columns }, html`<tbody>${rows}</tbody>`)}</section>`;
}

/** The most sites in a cell of the table. */
export const CELL_MAX = 5;

function siteLinks(hosts: readonly string[], sites: Sites, context: LinkedContext): Html | string {
  if (hosts.length === 0) return NO_VALUE;
  const shown = hosts.slice(0, CELL_MAX);
  const links = shown.map(
    (host, index) => html`${index === 0 ? "" : ", "}${siteName(host, sites.get(host), context)}`,
  );
  const left = hosts.length - shown.length;
  return html`${links}${left > 0 ? ` and ${numberOf(left)} more` : ""}`;
}

/** A page of a list of sites. @param sites of the page @param names of checks, by their ids */
export function changedListPage(
  { kind, page }: ListName,
  period: Period,
  sites: Sites,
  names: ReadonlyMap<string, string>,
  unlinked: PageContext,
): string {
  const { id, lists } = period;
  const own = listAddress(id, kind, page);
  const context = linkedFrom(own, unlinked);
  const all = lists[kind];
  const { title, about } = KINDS[kind];
  const first = (page - 1) * LIST_PAGE_SIZE;
  const shown = all.slice(first, first + LIST_PAGE_SIZE);
  const pages = Math.ceil(all.length / LIST_PAGE_SIZE);
  const heading = `${title}: ${counted(all.length, "site")}`;
  const place =
    pages === 1 ? "" : ` These are ${numberOf(first + 1)} to ${numberOf(first + shown.length)}.`;
  const body = html`<main id="changed" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${context.to(ADDRESS)}">What changed</a> · ${periodText(period)}</p>
<h1>${heading}</h1>
<p class="lead">${about}${place}</p>
</div></div>
<div class="wide check-page">
<ol class="moves whole">${shown.map(
    (one) => html`<li>${moveLine(one, sites, context)}${changeFacts(one, names)}</li>`,
  )}</ol>
${pagesView(id, kind, page, pages, context)}
</div>
</main>`;
  return framed(
    {
      title: `${heading} · ${periodText(period)} · ${oneLine(unlinked.name)}`,
      description: `${heading}. ${about}`,
      address: own,
      isIndexed: false,
      style: STYLES.standards,
      main: "changed",
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

/** The checks of a change, `+ Open CORS`, and when it was published. */
function changeFacts(
  { gained, lost, publishedAt }: ChangedSite,
  names: ReadonlyMap<string, string>,
): Html {
  const named = (sign: string) => (id: string) => `${sign} ${visible(names.get(id) ?? null) ?? id}`;
  const checks = [...gained.map(named("+")), ...lost.map(named("−"))].join(", ");
  return html` <span class="moved-checks quiet" dir="auto">${checks}</span> 
    <span class="published quiet">published ${timeElement(publishedAt, dayOf(publishedAt))}</span>`;
}

/** Links to the neighbouring pages of a list; null if there is one page. */
function pagesView(
  period: ListName["period"],
  kind: ChangeKind,
  page: number,
  pages: number,
  { to }: LinkedContext,
): Html | null {
  if (pages === 1) return null;
  const link = (other: number, text: string) =>
    other < 1 || other > pages
      ? null
      : html`<a href="${to(listAddress(period, kind, other))}">${text}</a>`;
  return html`<nav aria-label="Pages"><p class="near">${link(page - 1, "Previous")}${link(page + 1, "Next")}</p>
<p class="quiet">Page ${page} of ${pages}</p></nav>`;
}
