import type { Standards } from "../../contract/standards.js";
import { CAPABILITY_CHECKS } from "./capability-checks.js";
import { describe } from "./check.js";
import { CRAWLERS } from "./crawlers.js";
import { MEANING_CHECKS } from "./meaning-checks.js";
import { PENALTY_CHECKS } from "./penalty-checks.js";
import { REACH_CHECKS } from "./reach-checks.js";
import { BADGE_EXAMPLES, RUBRIC } from "./rubric.js";

/** The sample's scoring methodology: standards.json of the published format. */
export const STANDARDS: Standards = {
  rubric: RUBRIC,
  badgeExamples: BADGE_EXAMPLES,
  checks: [...REACH_CHECKS, ...MEANING_CHECKS, ...CAPABILITY_CHECKS, ...PENALTY_CHECKS].map(
    describe,
  ),
  aiCrawlers: CRAWLERS.filter(({ record }) => record.scanner.recognized).map(
    ({ record: { name, operator }, purpose }) => ({ name, operator, purpose }),
  ),
  crawlerCatalogue: CRAWLERS.map(({ record }) => record),
};
