import { LIMITS } from "../../contract/limits.js";
import { READ_TEXTS } from "../../contract/read-descriptions.js";
import { ROUTES, type RouteName } from "../../contract/routes.js";
import { markdownLink, markdownText } from "../kit/escape.js";
import { absoluteLink, apiLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import { directoryText } from "../kit/publisher-links.js";
import { PAGE_ROUTES } from "../kit/routes.js";

/* Files that guide crawlers. The whole directory is open to all of them. */

/** `robots.txt` (RFC 9309). */
export function robotsText({ siteUrl }: PageContext): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}${PAGE_ROUTES.sitemap.path}\n`;
}

/** `llms.txt` (llmstxt.org): an overview of the site for language models. */
export function llmsText(context: PageContext): string {
  const { name, siteUrl, rubric } = context;
  const page = ({ path }: { readonly path: string }) => absoluteLink(path.slice(1), context);
  const bands = rubric.bands
    .map(({ label, min, max }) => `- ${markdownText(label)}: ${min} to ${max}`)
    .join("\n");
  const api = (read: RouteName) => {
    const { path } = ROUTES[read];
    return `- ${markdownLink(path, apiLink(path.slice(1), context))}: ${READ_TEXTS[read].summary}.`;
  };
  const downloads = (context.downloads ?? [])
    .map(
      ({ index, formats }) =>
        `- ${markdownLink("All listings at once", apiLink(index, context))}: as ${formats}, ` +
        "with the sha256 of each file.\n",
    )
    .join("");
  const guides = (context.pages ?? []).flatMap(({ guide }) =>
    guide === undefined ? [] : `; \`${siteUrl}/${guide.address}\` ${guide.says}`,
  );
  const about = directoryText(context);
  const quoted = about === null ? "" : `> ${markdownText(about)}\n>\n`;
  return `# ${markdownText(name)}

${quoted}> A directory of websites, each with a report that scores from 0 to 100 how readable and accessible \
the site is to AI crawlers. Everything here may be read without an account.

## Reports

Replace \`{host}\` with a site's host: lowercase, without \`www.\`, for instance \`example.com\`.

- Markdown: \`${page(PAGE_ROUTES.markdown)}\`, or the page with the header \`Accept: text/markdown\`
- What to fix, as a task for a coding agent: \`${page(PAGE_ROUTES.task)}\`
- Page: \`${page(PAGE_ROUTES.page)}\`
- JSON: \`${apiLink(ROUTES.report.path.slice(1), context)}\`
- ${markdownLink("All reports", page(PAGE_ROUTES.sitemap))}: a sitemap
- ${markdownLink("New scans", page(PAGE_ROUTES.feed))}: an Atom feed; \`${siteUrl}/feeds/{category}.xml\` of a category
- ${markdownLink("How sites are scored", page(PAGE_ROUTES.standardsPage))}: the methodology, as a page
- ${markdownLink("Categories", page(PAGE_ROUTES.categoriesPage))}: compared with each other, as a page${guides.join("")}
- ${markdownLink("Explorer", page(PAGE_ROUTES.explorer))}: the search, as a page

A missing score does not mean zero. Bands of the scoring version ${markdownText(rubric.version)}:

${bands}

## API

All reads are GET requests and need no key. Search answers at most ${LIMITS.pageSizeMax} sites per page.

${api("search")}
${api("facets")}
${api("standards")}
${api("openapi")}
${downloads}- ${markdownLink(PAGE_ROUTES.apiPage.path, page(PAGE_ROUTES.apiPage))}: every read with its \
parameters and errors, as a page for browsers.
`;
}
