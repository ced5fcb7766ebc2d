import type { Report } from "../../contract/report.js";
import { type Html, html } from "../kit/html.js";
import type { Section } from "../kit/section.js";
import { freeFormHtml, freeFormValue } from "./free-form.js";

/** The features that the contract names, as people write them. */
const FEATURES = [
  ["login", "Login"],
  ["api", "API"],
  ["commerce", "Commerce"],
] as const;

/** Keys whose value says whether a feature is there. */
const ANSWERS = ["observed", "present"];

/** Features that the scan observed; null if its profile is missing or empty. */
export function profileSection({ profile }: Report): Section | null {
  if (profile === null || Object.keys(profile).length === 0) return null;
  const rest = new Map(Object.entries(profile));
  const rows = FEATURES.flatMap(([key, name]) => {
    const row = featureRow(name, rest.get(key));
    if (row === null) return [];
    rest.delete(key);
    return row;
  });
  const others = Object.fromEntries(rest);
  const body = html`${rows.length === 0 ? null : html`<dl class="features">${rows}</dl>`}${
    rest.size === 0 ? null : freeFormHtml(others)
  }`;
  return { id: "profile", title: "Observed features", body };
}

/** A feature as yes or no, with its evidence; null if its value does not say. */
function featureRow(name: string, value: unknown): Html | null {
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  const answer = entries.find(([key, said]) => ANSWERS.includes(key) && typeof said === "boolean");
  if (answer === undefined) return null;
  const [answerKey, isThere] = answer;
  const evidence = entries.find(([key]) => key === "evidence")?.[1] ?? [];
  const more = entries.filter(
    ([key, said]) => key !== answerKey && key !== "evidence" && said !== null,
  );
  const isShown = !Array.isArray(evidence) || evidence.length > 0;
  return html`<div><dt>${name}</dt><dd><span class="status status-${isThere ? "pass" : "na"}">${isThere ? "Yes" : "No"}</span>${
    isShown ? html`<div class="evidence">${freeFormValue(evidence)}</div>` : null
  }${more.length === 0 ? null : freeFormHtml(Object.fromEntries(more))}</dd></div>`;
}
