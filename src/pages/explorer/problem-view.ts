import { parsedUrl } from "../../contract/url.js";
import { el, type TreeElement } from "../kit/tree.js";

/**
 * Why a search has no result:
 * - `offline`: the browser has no network; the search is retried once it has.
 * - `unavailable`: there is no API at this address, only files (an exported tree).
 * - `failed`: anything else; the reader may retry.
 */
export type Problem = "offline" | "unavailable" | "failed";

/** The fields of the client's error that tell the problems apart. */
interface Failure {
  readonly kind?: string;
  readonly status?: number | null;
}

/** @param isOnline the browser's own view, `navigator.onLine` */
export function problemOf(error: unknown, isOnline: boolean): Problem {
  const { kind, status }: Failure = typeof error === "object" && error !== null ? error : {};
  if (!isOnline) return "offline";
  // A working search never answers 404 (contract section 4) and always answers in JSON.
  return status === 404 || status === 405 || kind === "body" ? "unavailable" : "failed";
}

/** Each problem in a sentence, both for display and for screen readers. */
export const PROBLEM_TEXTS: Readonly<Record<Problem, string>> = {
  offline: "You are offline. The search resumes when the network is back.",
  unavailable:
    "Search is not available here, because this is a copy of the directory in plain files. Reports, the methodology and the categories are available.",
  failed: "The search did not answer. Your choices are kept.",
};

/** @param isOld true if the results below the notice are from an earlier search */
export function problemView(problem: Problem, isOld: boolean): TreeElement[] {
  const text = `${PROBLEM_TEXTS[problem]}${isOld ? " The results below are from an earlier search." : ""}`;
  return [
    el(
      "div",
      { class: "notice problem" },
      el("p", {}, text),
      problem === "unavailable"
        ? null
        : el("button", { type: "button", class: "button", "data-retry": true }, "Try again"),
    ),
  ];
}

/** The message for a text that is not a host. */
export const NO_HOST = "This is not a host.";

/** The content in place of results when there are only files and no API. */
export function filesView(categories: readonly string[]): TreeElement[] {
  return [
    el("h2", { id: "found", tabindex: -1 }, "What can be read here"),
    el(
      "div",
      { class: "host-form" },
      el("label", { for: "host" }, "Host of the site whose report you want"),
      el("input", {
        id: "host",
        type: "text",
        inputmode: "url",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        placeholder: "example.com",
      }),
      el(
        "button",
        { type: "button", class: "button", "data-open-report": true },
        "Open the report",
      ),
      el("p", { id: "host-wrong", hidden: true }, NO_HOST),
    ),
    el(
      "ul",
      { class: "ways" },
      el("li", {}, el("a", { href: "standards" }, "How sites are scored")),
      el("li", {}, el("a", { href: "sitemap.xml" }, "All reports, as a sitemap")),
      el("li", {}, el("a", { href: "api/categories" }, "The categories, as JSON")),
    ),
    ...(categories.length === 0
      ? []
      : [
          el("h3", {}, "Categories of the directory"),
          el(
            "ul",
            { class: "names" },
            categories.map((name) => el("li", { dir: "auto" }, name)),
          ),
        ]),
  ];
}

/** The host that a reader's text means: the text is an address or a bare host. Null if it is neither. */
export function hostMeant(text: string): string | null {
  const written = text.trim().toLowerCase();
  const address = /^[a-z]+:\/\//.test(written) ? written : `https://${written}`;
  if (written === "") return null;
  const host = parsedUrl(address)
    ?.hostname.replace(/^www\./, "")
    .replace(/\.$/, "");
  // For the same invalid host, some browsers escape characters and others throw; both count as invalid.
  return host === undefined || host.includes("%") ? null : host;
}
