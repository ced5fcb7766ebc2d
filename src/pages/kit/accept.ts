import { weightedValues } from "../../contract/headers.js";

/** Whether an `Accept` header comes from a browser, so that a person reads the answer. */
export function isBrowsers(accept: string): boolean {
  return accept.includes("text/html");
}

/**
 * Whether an `Accept` header asks for Markdown: it names the type with a weight at least as high as HTML's. Browsers do
 * not name the type.
 */
export function prefersMarkdown(accept: string): boolean {
  if (!/markdown/i.test(accept)) return false;
  const weights = new Map<string, number>();
  for (const [type, weight] of weightedValues(accept)) {
    weights.set(type, Math.max(weights.get(type) ?? 0, weight));
  }
  const markdown = weights.get("text/markdown") ?? 0;
  const page = weights.get("text/html") ?? weights.get("text/*") ?? weights.get("*/*") ?? 0;
  return markdown > 0 && markdown >= page;
}
