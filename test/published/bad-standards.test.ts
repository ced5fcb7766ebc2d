import { describe, expect, it } from "vitest";
import { type BadCase, outcomeOf, PLACES } from "./tiny.js";

const { standards } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";

const CASES: readonly BadCase[] = [
  {
    rule: "bands leave no gap",
    edits: [[standards, '"min": 50', '"min": 51']],
    problems: [
      "standards.json:8:49  $.rubric.bands[1].min  found 51, expected 50: bands leave a gap",
    ],
  },
  {
    rule: "bands do not overlap",
    edits: [[standards, '"min": 50', '"min": 49']],
    problems: ["standards.json:8:49  $.rubric.bands[1].min  found 49, expected 50: bands overlap"],
  },
  {
    rule: "bands begin at 0",
    edits: [[standards, '"min": 0,', '"min": 1,']],
    problems: [
      "standards.json:7:47  $.rubric.bands[0].min  found 1, expected 0: bands leave a gap",
    ],
  },
  {
    rule: "bands end at 100",
    edits: [[standards, '"max": 100', '"max": 99']],
    problems: [
      "standards.json:8:60  $.rubric.bands[1].max  found 99, expected 100: bands leave a gap",
    ],
  },
  {
    rule: "a band's min is not above its max",
    edits: [[standards, '"min": 50, "max": 100', '"min": 50, "max": 40']],
    problems: [
      "standards.json:8:60  $.rubric.bands[1].max  found 40, expected at least the band's min, 50",
    ],
  },
  {
    rule: "bounds are from 0 to 100",
    edits: [[standards, '"max": 100', '"max": 101']],
    problems: [
      "standards.json:8:60  $.rubric.bands[1].max  found 101, expected a whole number from 0 to 100",
    ],
  },
  {
    rule: "there is at least one band",
    edits: [
      [
        standards,
        '"bands": [\n      { "band": "low", "label": "Low", "min": 0, "max": 49 },\n      { "band": "high", "label": "High", "min": 50, "max": 100 }\n    ]',
        '"bands": []',
      ],
    ],
    problems: [
      "standards.json:6:14  $.rubric.bands  found no band, expected bands that cover 0 to 100",
    ],
  },
  {
    rule: "no band comes after the one that ends at 100",
    edits: [
      [
        standards,
        '"min": 50, "max": 100 }',
        '"min": 50, "max": 100 }, { "band": "more", "label": "", "min": 100, "max": 100 }',
      ],
    ],
    problems: [
      "standards.json:8:105  $.rubric.bands[2].min  found 100, expected no band above the one that ends at 100: bands overlap",
    ],
  },
  {
    rule: "band ids are unique",
    edits: [[standards, '"band": "high"', '"band": "low"']],
    problems: [
      'standards.json:8:17  $.rubric.bands[1].band  found "low" a second time; the first is $.rubric.bands[0].band',
    ],
  },
  {
    rule: "band ids are slugs",
    edits: [[standards, '"band": "high"', '"band": "High_Band"']],
    problems: [`standards.json:8:17  $.rubric.bands[1].band  found "High_Band", expected ${SLUG}`],
  },
  {
    rule: "check ids are unique",
    edits: [[standards, '"id": "robots"', '"id": "https"']],
    problems: [
      'standards.json:15:73  $.checks[0].related[0]  found "robots", expected the id of a check',
      'standards.json:18:13  $.checks[1].id  found "https" a second time; the first is $.checks[0].id',
    ],
  },
  {
    rule: "check ids are slugs",
    edits: [[standards, '"id": "https"', '"id": "HTTPS"']],
    problems: [`standards.json:13:13  $.checks[0].id  found "HTTPS", expected ${SLUG}`],
  },
  {
    rule: "related names existing checks",
    edits: [[standards, '"related": ["robots"]', '"related": ["robot", "zzzzzzzz"]']],
    problems: [
      'standards.json:15:73  $.checks[0].related[0]  found "robot", expected the id of a check; did you mean "robots"?',
      'standards.json:15:82  $.checks[0].related[1]  found "zzzzzzzz", expected the id of a check',
    ],
  },
  {
    rule: "crawler ids are unique",
    edits: [
      [
        standards,
        '"crawlerCatalogue": [',
        '"crawlerCatalogue": [\n    { "id": "gptbot", "name": "", "operator": "", "group": "", "kind": "", "httpIdentity": "",\n      "status": "", "verification": "", "reviewed": "", "summary": "", "robotsToken": null,\n      "aliases": [], "purposes": [], "sources": [], "notes": null,\n      "scanner": { "recognized": true, "visibilityPenalty": false, "trainingOptOut": false } },',
      ],
    ],
    problems: [
      'standards.json:30:13  $.crawlerCatalogue[1].id  found "gptbot" a second time; the first is $.crawlerCatalogue[0].id',
    ],
  },
  {
    rule: "an enum has one of its values",
    edits: [[standards, '"kind": "capability"', '"kind": "bonus"']],
    problems: [
      'standards.json:21:15  $.checks[1].kind  found "bonus", expected one of "achievement", "penalty", "capability"',
    ],
  },
  {
    rule: "a check's block is 1, 2 or null",
    edits: [[standards, '"block": 1,', '"block": 3,']],
    problems: [
      "standards.json:16:89  $.checks[0].block  found 3, expected a whole number from 1 to 2 or null",
    ],
  },
  {
    rule: "a key of the contract may not be left out, even if it may be null",
    edits: [[standards, '"sourceNote": null, "related": []', '"related": []']],
    problems: [
      "standards.json:18:5  $.checks[1].sourceNote  is missing, expected a string or null",
    ],
  },
  {
    rule: "a version is at least 1",
    edits: [
      [
        standards,
        '"title": "", "version": 1, "reviewedVersion": 1, "reviewedOn": "",\n      "specificationStatus": "", "overview": "", "whyItMatters": "", "whatWeCheck": "", "results": "",\n      "limitations": "", "sources": [], "sourceNote": null, "related": ["robots"]',
        '"title": "", "version": 0, "reviewedVersion": 1, "reviewedOn": "",\n      "specificationStatus": "", "overview": "", "whyItMatters": "", "whatWeCheck": "", "results": "",\n      "limitations": "", "sources": [], "sourceNote": null, "related": ["robots"]',
      ],
    ],
    problems: [
      "standards.json:13:58  $.checks[0].version  found 0, expected a whole number from 1 to 9007199254740991",
    ],
  },
];

describe("published format, standards.json: is refused where it breaks a rule", () => {
  it.each(CASES)("$rule", async (bad) => {
    const { problems, warnings } = await outcomeOf(bad);
    expect(problems).toEqual(bad.problems);
    expect(warnings).toEqual(bad.warnings ?? []);
  });
});
