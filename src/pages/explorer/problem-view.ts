import { parsedUrl } from "../../contract/url.js";
import { el, type TreeElement } from "../kit/tree.js";

/**
 * Why a search has brought nothing:
 * - `offline`: the browser has no network; it is tried again when it has.
 * - `unavailable`: there is no API at this address, only its files (an exported tree).
 * - `failed`: all else; it may be tried again.
 */
export type Problem = "offline" | "unavailable" | "failed";

/** What kept a search from its answer, as the client says it. */
interface Failure {
  readonly kind?: string;
  readonly status?: number | null;
}

/** @param isOnline whether the browser takes itself to be */
export function problemOf(error: unknown, isOnline: boolean): Problem {
  const { kind, status } = (error ?? {}) as Failure;
  if (!isOnline) return "offline";
  // A search that is there is never a 404 (contract section 4), and answers in JSON.
  return status === 404 || status === 405 || kind === "body" ? "unavailable" : "failed";
}

/** A problem in a sentence, for those who look and for those who hear. */
export const PROBLEM_TEXTS: Readonly<Record<Problem, string>> = {
  offline: "You are offline. The search goes on when the network is back.",
  unavailable:
    "Search is not available here: this is a copy of the directory in plain files. Reports, the methodology and the categories are.",
  failed: "The search did not answer. Your choices are kept.",
};

/** @param isOld whether what stands below it was found before */
export function problemView(problem: Problem, isOld: boolean): TreeElement[] {
  const text = `${PROBLEM_TEXTS[problem]}${isOld ? " What stands below was found before." : ""}`;
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

/** What is said where a text means no host. */
export const NO_HOST = "That is no host.";

/** What stands in the place of results where there are only files. */
export function filesView(categories: readonly string[]): TreeElement[] {
  return [
    el("h2", { id: "found", tabindex: -1 }, "What can be read here"),
    el(
      "div",
      { class: "host-form" },
      el("label", { for: "host" }, "The report of a site, by its host"),
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

/** The host that somebody means by what they wrote: an address, or a host as they say it. */
export function hostMeant(text: string): string | null {
  const written = text.trim().toLowerCase();
  const address = /^[a-z]+:\/\//.test(written) ? written : `https://${written}`;
  if (written === "") return null;
  const host = parsedUrl(address)
    ?.hostname.replace(/^www\./, "")
    .replace(/\.$/, "");
  // Some browsers escape in a host what others refuse.
  return host === undefined || host.includes("%") ? null : host;
}
