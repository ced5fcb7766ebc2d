import { isCanonicalHost } from "../../contract/host.js";
import { llmsText } from "../../pages/feeds/guides.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import { readDrawn } from "../../pages/report/excerpt.js";
import { reportMarkdown } from "../../pages/report/report-markdown.js";
import { isFailure, type SnapshotView } from "../answer/content.js";
import { drawnContent } from "../answer/reads.js";
import { fencedMarkdown } from "./data-text.js";

/* Reports as Markdown. A resource's name is the address of the page, where any reader finds the same text. */

const MIME = "text/markdown";

/** `resources/list`: the overview of the directory. Reports are too many for a list; a template names them. */
export function listResources({ directory: { siteUrl } }: SnapshotView) {
  const overview = {
    uri: `${siteUrl}${PAGE_ROUTES.llms.path}`,
    name: "llms.txt",
    title: "What the directory has, and where",
    mimeType: MIME,
  };
  return { resources: [overview] };
}

/** `resources/templates/list` */
export function resourceTemplates({ directory: { siteUrl } }: SnapshotView) {
  const report = {
    uriTemplate: `${siteUrl}${PAGE_ROUTES.markdown.path}`,
    name: "report",
    title: "A site's report as Markdown",
    description: "The latest report of a host, with its evidence. The host is canonical.",
    mimeType: MIME,
  };
  return { resourceTemplates: [report] };
}

/** `resources/read` @returns null if there is no such resource @throws if a stored file is missing or damaged */
export async function readResource(uri: string, snapshot: SnapshotView) {
  const text = await resourceText(uri, snapshot);
  return text === null ? null : { contents: [{ uri, mimeType: MIME, text: fencedMarkdown(text) }] };
}

async function resourceText(uri: string, snapshot: SnapshotView): Promise<string | null> {
  const context = snapshot.directory;
  if (uri === `${context.siteUrl}${PAGE_ROUTES.llms.path}`) return llmsText(context);
  const [before = "", after = ""] = PAGE_ROUTES.markdown.path.split("{host}");
  const start = context.siteUrl + before;
  const host = uri.slice(start.length, uri.length - after.length);
  if (uri !== start + host + after || !isCanonicalHost(host)) return null;
  const stored = await drawnContent(snapshot, host, undefined);
  if (isFailure(stored)) return null;
  const { report, left } = readDrawn(await stored.read());
  return reportMarkdown(report, context, left);
}
