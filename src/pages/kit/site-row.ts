import type { SiteSummary } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { linkTarget, oneLine } from "./escape.js";
import { hostInScript, hostText } from "./host-name.js";
import { withMarks } from "./marks.js";
import { el, type TreeElement, unseen } from "./tree.js";
import { bandLabel, counted, dayOf, levelOf, numberOf, visible } from "./words.js";

/** What a row needs of the methodology. */
export interface RowMethodology {
  readonly rubric: Pick<Standards["rubric"], "version" | "bands">;
  /** Ids of the achievements, in the order of their dots. */
  readonly achievements: readonly string[];
}

/**
 * A site in a list: score, logo, name, tagline and checks, with a link to its report.
 * @param facts links and texts beneath the tagline, which come before the day of the scan
 * @param sought the text of the search that has found the site, which is marked
 */
export function siteRow(
  site: SiteSummary,
  methodology: RowMethodology,
  facts: readonly TreeElement[] = [],
  sought = "",
): TreeElement {
  const { host, latestScannedAt, highlighted } = site;
  const hostName = hostInScript(host);
  const [name, tagline] = [visible(site.name), visible(site.tagline)];
  const scanned =
    latestScannedAt === null
      ? []
      : [el("time", { datetime: latestScannedAt }, `Scanned ${dayOf(latestScannedAt)}`)];
  const shownFacts = [...facts, ...scanned];
  return el(
    "li",
    { class: highlighted ? "site highlighted" : "site" },
    scoreView(site, methodology),
    logoView(site),
    " ",
    el(
      "div",
      { class: "site-text" },
      el(
        "h3",
        {},
        el(
          "a",
          { href: `sites/${encodeURIComponent(host)}` },
          el("bdi", {}, withMarks(name ?? hostName ?? host, sought)),
        ),
        highlighted ? [" ", el("span", { class: "mark" }, "Highlighted")] : null,
      ),
      name === null && hostName === null
        ? null
        : el("p", { class: "address" }, withMarks(name === null ? host : hostText(host), sought)),
      tagline === null
        ? null
        : el("p", { class: "tagline", dir: "auto" }, withMarks(tagline, sought)),
      checksView(site, methodology),
      shownFacts.length === 0
        ? null
        : el(
            "ul",
            { class: "site-facts quiet" },
            shownFacts.map((fact) => el("li", {}, fact)),
          ),
    ),
  );
}

/** The score and its band, or the words `Not scored`. */
function scoreView(
  { latestScore, latestBand, latestScoreVersion }: SiteSummary,
  methodology: RowMethodology,
): TreeElement {
  if (latestScore === null) {
    return el("p", { class: "site-score unscored" }, el("span", { class: "band" }, "Not scored"));
  }
  const banded = { band: latestBand, scoreVersion: latestScoreVersion };
  const band = bandLabel(banded, methodology);
  return el(
    "p",
    { class: `site-score level-${levelOf(banded, methodology)}` },
    el("span", { class: "points" }, numberOf(latestScore), unseen(" of 100")),
    band === null ? null : [" ", el("span", { class: "band", dir: "auto" }, band)],
  );
}

/**
 * A site's logo over the first letter of its name, which is seen until the logo has loaded, and if it never does. Null
 * for a site without one.
 */
function logoView({ host, name, logoUrl }: SiteSummary): TreeElement | null {
  const [letter = ""] = oneLine(visible(name) ?? host);
  const source = logoUrl === null ? null : linkTarget(logoUrl);
  if (source?.startsWith("https:") !== true) return null;
  return el(
    "span",
    { class: "logo", "aria-hidden": "true" },
    letter.toUpperCase(),
    el("img", {
      src: source,
      alt: "",
      width: 40,
      height: 40,
      loading: "lazy",
      decoding: "async",
      referrerpolicy: "no-referrer",
    }),
  );
}

/** The width of a dot's place and the height of all dots, in the units of the drawing. */
const DOT = 10;

/**
 * The achievements of the current methodology that the site has passed, each as a dot at its own place. A summary does
 * not say which of the others do not apply, so nothing is drawn for them. Null for a score of another methodology, whose
 * checks differ, and without a score.
 */
function checksView(
  { capabilities, latestScore, latestScoreVersion }: SiteSummary,
  { rubric, achievements }: RowMethodology,
): TreeElement | null {
  const { length } = achievements;
  if (latestScore === null || latestScoreVersion !== rubric.version || length === 0) return null;
  const dots = achievements.flatMap((id, at) =>
    capabilities.includes(id) ? [`M${DOT * at + DOT / 2} ${DOT / 2}h0`] : [],
  );
  return el(
    "p",
    { class: "dots quiet" },
    el(
      "svg",
      {
        viewBox: `0 0 ${DOT * length} ${DOT}`,
        width: DOT * length,
        height: DOT,
        "aria-hidden": "true",
      },
      el("path", { d: dots.join("") }),
    ),
    ` ${counted(dots.length, "check")} passed`,
  );
}
