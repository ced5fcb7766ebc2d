import { LIMITS } from "../../contract/limits.js";
import { ROUTES } from "../../contract/routes.js";
import { markdownLink, markdownText } from "../kit/escape.js";
import type { PageContext } from "../kit/page-context.js";
import { PAGE_ROUTES } from "../kit/routes.js";

/* Files that guide crawlers. The whole directory is open to all of them. */

/** `robots.txt` (RFC 9309). */
export function robotsText({ siteUrl }: PageContext): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}${PAGE_ROUTES.sitemap.path}\n`;
}

/** `llms.txt` (llmstxt.org): an overview of the site for language models. */
export function llmsText({ name, baseUrl, siteUrl, rubric }: PageContext): string {
  const bands = rubric.bands
    .map(({ label, min, max }) => `- ${markdownText(label)}: ${min} to ${max}`)
    .join("\n");
  const api = ({ path, summary }: { readonly path: string; readonly summary: string }) =>
    `- ${markdownLink(path, `${baseUrl}${path}`)}: ${summary}.`;
  return `# ${markdownText(name)}

> A directory of websites, each with a report that scores from 0 to 100 how readable and accessible the site is to AI crawlers. Everything here may be read without an account.

## Reports

Replace \`{host}\` with a site's host: lowercase, without \`www.\`, for instance \`example.com\`.

- Markdown: \`${siteUrl}${PAGE_ROUTES.markdown.path}\`, or the page with the header \`Accept: text/markdown\`
- Page: \`${siteUrl}${PAGE_ROUTES.page.path}\`
- JSON: \`${baseUrl}${ROUTES.report.path}\`
- ${markdownLink("All reports", `${siteUrl}${PAGE_ROUTES.sitemap.path}`)}: a sitemap
- ${markdownLink("New scans", `${siteUrl}${PAGE_ROUTES.feed.path}`)}: an Atom feed; \`${siteUrl}/feeds/{category}.xml\` of a category
- ${markdownLink("How sites are scored", `${siteUrl}${PAGE_ROUTES.standardsPage.path}`)}: the methodology, as a page
- ${markdownLink("Explorer", `${siteUrl}${PAGE_ROUTES.explorer.path}`)}: the search, as a page

A missing score does not mean zero. Bands of the scoring version ${markdownText(rubric.version)}:

${bands}

## API

All reads are GET requests and need no key. Search answers at most ${LIMITS.pageSizeMax} sites per page.

${api(ROUTES.search)}
${api(ROUTES.facets)}
${api(ROUTES.standards)}
${api(ROUTES.openapi)}
- ${markdownLink(PAGE_ROUTES.apiPage.path, `${siteUrl}${PAGE_ROUTES.apiPage.path}`)}: every read with its parameters and errors, as a page for browsers.
`;
}
