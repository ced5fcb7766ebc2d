import type { Report } from "../../contract/report.js";
import { linkTarget, markdownLink } from "../kit/escape.js";
import { html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import type { Section } from "../kit/section.js";
import { badgeSize } from "./badge.js";
import { BADGE_STYLES, DEFAULT_LOOK } from "./badge-look.js";
import { isShared } from "./report-texts.js";
import type { Surroundings } from "./surroundings.js";

/** The badge with code that shows it elsewhere; null for historical and withheld reports. */
export function shareSection(
  report: Report,
  context: PageContext,
  { isBadgeFile }: Surroundings,
): Section | null {
  if (!isShared(report)) return null;
  const { site, links } = report;
  const { canonical } = links;
  const badge = `${canonical}/badge.svg`;
  const name = `Crawler readiness of ${site.host}`;
  const codes = [
    ["HTML", html`<a href="${canonical}"><img src="${badge}" alt="${name}"></a>`.markup],
    ["Markdown", `[!${markdownLink(name, badge)}](${linkTarget(canonical) ?? ""})`],
    ["Link", canonical],
  ].map(
    ([title, code], place) =>
      html`<div class="draft"><h3 id="code-${place + 1}">${title ?? ""}</h3><pre data-about="code-${place + 1}" data-copy="Copy" tabindex="0">${code ?? ""}</pre></div>`,
  );
  const { width, height } = badgeSize(report, context, DEFAULT_LOOK);
  const looks = BADGE_STYLES.filter((style) => style !== DEFAULT_LOOK.style).map(
    (style) => html` <code>?style=${style}</code>,`,
  );
  const options = isBadgeFile
    ? null
    : html`<p class="quiet looks">The badge has other looks:${looks} and <code>?label=</code> with up to 40 characters of your own.</p>\n`;
  const body = html`<div><img class="badge" src="${site.host}/badge.svg" width="${width}" height="${height}" alt="The badge of ${site.host}" loading="lazy"></div>
<p>The badge always shows the latest score. Put it on your own pages, or share the link.</p>
${options}<div class="drafts" data-tabs="Code to share">${codes}</div>`;
  return { id: "share", title: "Share this report", body };
}
