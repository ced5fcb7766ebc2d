import { describe } from "vitest";
import { type BadRow, itRefuses, PLACES } from "./tiny.js";

const { directory, standards, taxonomy } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const WEB = "an http: or https: address without credentials";

const DOCUMENTS: readonly BadRow[] = [
  [
    "all three documents must exist, and everything else is still read",
    {
      [directory]: null,
      [standards]: null,
      [taxonomy]: null,
      "listings/x.json": '{"host":"x.example"}',
    },
    [
      "directory.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
      "listings/x.json:1:1  $.status  is missing, expected a string",
      `listings/x.json:1:1  $.url  is missing, expected ${WEB}`,
      "standards.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
      "taxonomy.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
    ],
  ],
  [
    "baseUrl is an address",
    [directory, "https://api.tiny.example", "api.tiny.example"],
    `directory.json:4:14  $.baseUrl  found "api.tiny.example", expected ${WEB}`,
  ],
  [
    "baseUrl has no trailing slash",
    [directory, "https://api.tiny.example", "https://api.tiny.example/"],
    'directory.json:4:14  $.baseUrl  found "https://api.tiny.example/", which must not end in a ' +
      "slash or have a query or fragment",
  ],
  [
    "contact is an address or mailto:",
    [directory, '"name": "Tiny",', '"name": "Tiny", "contact": "me@tiny.example",'],
    'directory.json:3:30  $.contact  found "me@tiny.example", expected an http:, https: or mailto: address',
  ],
  [
    "accept has codes of warnings",
    [
      directory,
      '"name": "Tiny",',
      '"name": "Tiny", "accept": ["file-unred", "json-wrong", {"toString": 7}],',
    ],
    [
      'directory.json:3:30  $.accept[0]  found "file-unred", expected the code of a warning; did you ' +
        'mean "file-unread"?',
      'directory.json:3:44  $.accept[1]  found "json-wrong", expected the code of a warning: errors ' +
        "cannot be accepted",
      "directory.json:3:58  $.accept[2]  found an object, expected the code of a warning",
    ],
  ],
  [
    "claimUrl is an https address in which {host} may stand",
    [directory, '"name": "Tiny",', '"name": "Tiny", "claimUrl": "https://{host}/claim",'],
    'directory.json:3:31  $.claimUrl  found "https://{host}/claim", expected an https: address ' +
      "without credentials, with no braces but {host} in its path or query",
  ],
  [
    "lang is a language tag",
    [directory, '"name": "Tiny",', '"name": "Tiny", "lang": "de_AT\\" x", "headline": 7,'],
    [
      'directory.json:3:27  $.lang  found "de_AT\\" x", expected a language tag, such as en or pt-BR',
      "directory.json:3:52  $.headline  found 7, expected a string or null",
    ],
  ],
  [
    "the nearest known key is named for an unknown key",
    [directory, '"baseUrl"', '"base_url"'],
    [
      `directory.json:1:1  $.baseUrl  is missing, expected ${WEB}`,
      'directory.json:4:3  $.base_url  is not a known key; did you mean "baseUrl"?',
    ],
  ],
  [
    "an empty document is an error",
    { [directory]: " \n" },
    "directory.json:1:1  $  is empty, expected an object",
  ],
  [
    "taxonomy slugs have the slug pattern",
    [taxonomy, '"slug": "web"', '"slug": "Web Site"'],
    `taxonomy.json:7:27  $.platforms[0].slug  found "Web Site", expected ${SLUG}`,
  ],
  [
    "category slugs are unique",
    [taxonomy, '"slug": "weather"', '"slug": "animals"'],
    'taxonomy.json:4:15  $.categories[1].slug  found "animals" a second time; the first is $.categories[0].slug',
  ],
  [
    "a bad taxonomy is reported once, and listings are checked except for their slugs",
    [taxonomy, '"slug": "web", ', ""],
    `taxonomy.json:7:17  $.platforms[0].slug  is missing, expected ${SLUG}`,
  ],
];

const STANDARDS: readonly BadRow[] = [
  [
    "bands leave no gap",
    [standards, '"min": 50', '"min": 51'],
    "standards.json:8:49  $.rubric.bands[1].min  found 51, expected 50: bands leave a gap",
  ],
  [
    "bands do not overlap",
    [standards, '"min": 50', '"min": 49'],
    "standards.json:8:49  $.rubric.bands[1].min  found 49, expected 50: bands overlap",
  ],
  [
    "bands end at 100",
    [standards, '"max": 100', '"max": 99'],
    "standards.json:8:60  $.rubric.bands[1].max  found 99, expected 100: bands leave a gap",
  ],
  [
    "a band's min is not above its max",
    [standards, '"min": 50, "max": 100', '"min": 50, "max": 40'],
    "standards.json:8:60  $.rubric.bands[1].max  found 40, expected at least the band's min, 50",
  ],
  [
    "there is at least one band",
    [
      standards,
      '"bands": [\n      { "band": "low", "label": "Low", "min": 0, "max": 49 },\n      { "band": ' +
        '"high", "label": "High", "min": 50, "max": 100 }\n    ]',
      '"bands": []',
    ],
    "standards.json:6:14  $.rubric.bands  found no band, expected bands that cover 0 to 100",
  ],
  [
    "no band comes after the one that ends at 100",
    [
      standards,
      '"min": 50, "max": 100 }',
      '"min": 50, "max": 100 }, { "band": "more", "label": "", "min": 100, "max": 100 }',
    ],
    "standards.json:8:105  $.rubric.bands[2].min  found 100, expected no band above the one that " +
      "ends at 100: bands overlap",
  ],
  [
    "check ids are unique",
    [standards, '"id": "robots"', '"id": "https"'],
    [
      'standards.json:15:73  $.checks[0].related[0]  found "robots", expected the id of a check',
      'standards.json:18:13  $.checks[1].id  found "https" a second time; the first is $.checks[0].id',
    ],
  ],
  [
    "related names existing checks",
    [standards, '"related": ["robots"]', '"related": ["robot", "zzzzzzzz"]'],
    [
      'standards.json:15:73  $.checks[0].related[0]  found "robot", expected the id of a check; did you mean "robots"?',
      'standards.json:15:82  $.checks[0].related[1]  found "zzzzzzzz", expected the id of a check',
    ],
  ],
  [
    "crawler ids are unique",
    [
      standards,
      '"crawlerCatalogue": [',
      '"crawlerCatalogue": [\n    { "id": "gptbot", "name": "", "operator": "", "group": "", "kind": ' +
        '"", "httpIdentity": "",\n      "status": "", "verification": "", "reviewed": "", "summary": "", ' +
        '"robotsToken": null,\n      "aliases": [], "purposes": [], "sources": [], "notes": null,\n      ' +
        '"scanner": { "recognized": true, "visibilityPenalty": false, "trainingOptOut": false } },',
    ],
    'standards.json:30:13  $.crawlerCatalogue[1].id  found "gptbot" a second time; the first is ' +
      "$.crawlerCatalogue[0].id",
  ],
];

describe("directory.json and taxonomy.json are refused where they break a rule", () =>
  itRefuses(DOCUMENTS));
describe("standards.json is refused where it breaks a rule", () => itRefuses(STANDARDS));
