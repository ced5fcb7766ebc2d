import { SCRIPTS, STYLES } from "#scripts/names";
import type { NamedSite } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html } from "../../pages/kit/html.js";
import { linkedFrom } from "../../pages/kit/links.js";
import { scrollingTable, titledList } from "../../pages/kit/lists.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { checkAddress } from "../../pages/kit/page-names.js";
import { siteLink } from "../../pages/kit/site-row.js";
import { counted, dayOf, hostText, NO_VALUE, numberOf, visible } from "../../pages/kit/words.js";
import type { FirstOf, PublicationChanges } from "./publication-changes.js";

const ADDRESS = "changes";

/**
 * What changed on and since the last days of publication: scores that rose or fell, new sites, and checks
 * that sites gained or lost.
 * @param publications the latest day first
 */
export function changesPage(
  publications: readonly PublicationChanges[],
  checks: Standards["checks"],
  unlinked: PageContext,
): string {
  const context = linkedFrom(ADDRESS, unlinked);
  const directory = oneLine(unlinked.name);
  const title = `What changed · ${directory}`;
  const description =
    `Which sites of ${directory} rose, fell and are new since its earlier publications, and which ` +
    "checks they gained or lost.";
  const names = new Map(checks.map(({ id, name }) => [id, visible(name) ?? id]));
  const sections = publications.map((one, index) => sinceSection(one, index + 1, names, context));
  const recent = context.to("?sort=recent");
  const none = html`<p>There is no earlier publication to compare with yet. 
  <a href="${recent}">See the sites that were scanned last</a>.</p>`;
  const body = html`<main id="changes" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>What changed</h1>
<p class="lead">Scores and checks of the sites in this directory, compared with its earlier publications.</p>
</div></div>
<div class="wide check-page">
${sections.length === 0 ? none : sections}
</div>
</main>`;
  return framed(
    {
      title,
      description,
      address: ADDRESS,
      style: STYLES.standards,
      // In a packed tree, reports need the worker that this script starts.
      script: context.tree?.isPacked === true ? SCRIPTS.register : null,
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

function sinceSection(
  { since, changes }: PublicationChanges,
  number: number,
  names: ReadonlyMap<string, string>,
  context: LinkedContext,
): Html {
  const id = `since-${number}`;
  const tooMany = html`<p>So much has changed since then that it is not listed.</p>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">Published since ${dayOf(since)}</h2>
${changes === null ? tooMany : comparedView(changes, names, context)}</section>`;
}

function comparedView(
  { added, risen, fallen, checks }: NonNullable<PublicationChanges["changes"]>,
  names: ReadonlyMap<string, string>,
  context: LinkedContext,
): Html {
  const lists = [
    changeList("Risen", risen, (site) => moveLine(site, "up", context)),
    changeList("Fallen", fallen, (site) => moveLine(site, "down", context)),
    changeList("New", added, (site) => siteLink(site, context)),
  ].filter((list) => list !== null);
  const rows = checks.flatMap(({ checkId, gained, lost }) => {
    const name = names.get(checkId);
    if (name === undefined) return [];
    return html`<tr>
      <th scope="row" dir="auto"><a href="${context.to(checkAddress(checkId))}">${name}</a></th>
      <td>${siteLinks(gained, context)}</td>
      <td>${siteLinks(lost, context)}</td>
      </tr>`;
  });
  if (lists.length + rows.length === 0) return html`<p>No score and no check has changed.</p>`;
  const name = "Checks gained and lost";
  const columns = ["Check", "Newly passed by", "No longer passed by"];
  const table = html`<h3>Checks</h3>
${scrollingTable({ name, columns }, html`<tbody>${rows}</tbody>`)}`;
  return html`<div class="pair">${lists}</div>
${rows.length === 0 ? null : table}`;
}

function changeList<T extends NamedSite>(
  title: string,
  { first, count }: FirstOf<T>,
  lineOf: (site: T) => Html,
): Html | null {
  if (count === 0) return null;
  const rest = count > first.length ? `; the first ${first.length}` : "";
  return titledList(title, `${counted(count, "site")}${rest}`, first.map(lineOf));
}

function moveLine(
  site: NamedSite & { readonly from: number },
  way: "up" | "down",
  context: LinkedContext,
): Html {
  const difference = Math.abs((site.latestScore ?? site.from) - site.from);
  return html`${siteLink(site, context)} 
    <span class="moved-${way}">${way === "up" ? "+" : "−"}${numberOf(difference)}</span> 
    <span class="quiet">from ${site.from}</span>`;
}

/** The most hosts in a cell of the table. */
const CELL_MAX = 5;

function siteLinks({ first, count }: FirstOf<NamedSite>, { to }: LinkedContext): Html | string {
  if (count === 0) return NO_VALUE;
  const shown = first.slice(0, CELL_MAX);
  const links = shown.map(
    ({ host, name }, index) =>
      html`${index === 0 ? "" : ", "}
        <a href="${to(`sites/${host}`)}"><bdi>${visible(name) ?? hostText(host)}</bdi></a>`,
  );
  return html`${links}${count > shown.length ? ` and ${numberOf(count - shown.length)} more` : ""}`;
}
