import type { Reply } from "../runtime/http.js";

/** What the two must have in common; ETag, Date and Server are each one's own. */
export const HEADERS = [
  "content-type",
  "cache-control",
  "vary",
  "link",
  "allow",
  "location",
  "accept-ranges",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
  "x-content-type-options",
  "content-security-policy",
  "cross-origin-opener-policy",
  "referrer-policy",
  "x-robots-tag",
];

/** What the runtime adds to an error, and nginx cannot know: the address or the host that was meant. */
const MEANT = /(at this address)?; did you mean (?:\\"|&quot;)[^"&]*(?:\\"|&quot;)\?/;

/** What tells the scripts of a tree's page that they search by themselves. */
const MARK = /<html data-search="search-[0-9a-f]{8}\.js" /;

/** A report's page as a file has it: without its rank, which its script adds, and without other looks of the badge. */
export function inFile(page: string): string {
  return page
    .replace(/(<p id="rank"[^>]*>)[^<]*/, "$1")
    .replace(/<p class="quiet looks">.*<\/p>\n/, "");
}

/** The words of an error's page. What leads on from it is each server's own. */
const ERROR_WORDS = /<p class="eyebrow">(.*?)<\/p>\n<h1>(.*?)<\/h1>\n<p class="lead">(.*?)<\/p>/s;

/** What is compared of a reply. */
export function seen({ status, headers, text: sent }: Reply) {
  const isRedirect = status === 308;
  const words = status >= 400 ? ERROR_WORDS.exec(sent)?.slice(2).join("\n") : undefined;
  const text = (isRedirect ? "" : (words ?? inFile(sent)))
    .replace(MEANT, (_, sentence = "") => sentence && `${sentence}.`)
    .replace(MARK, "<html ");
  // The body of a redirect is each server's own, and may be of any type.
  const names = HEADERS.filter((name) => !isRedirect || name !== "content-type");
  return { status, text, headers: names.map((name) => [name, headers[name]]) };
}
