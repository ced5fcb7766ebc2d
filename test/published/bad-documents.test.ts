import { describe, expect, it } from "vitest";
import { type BadCase, outcomeOf, PLACES } from "./tiny.js";

const { directory, standards, taxonomy } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const WEB = "an http: or https: address without credentials";

const CASES: readonly BadCase[] = [
  {
    rule: "directory.json must exist",
    files: { [directory]: null },
    problems: [
      "directory.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
    ],
  },
  {
    rule: "all three documents must exist, and everything else is still read",
    files: {
      [directory]: null,
      [standards]: null,
      [taxonomy]: null,
      "listings/x.json": '{"host":"x.example"}',
    },
    problems: [
      "directory.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
      "listings/x.json:1:1  $.status  is missing, expected a string",
      `listings/x.json:1:1  $.url  is missing, expected ${WEB}`,
      "standards.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
      "taxonomy.json:1:1  $  is missing, expected directory.json, standards.json and taxonomy.json in the folder",
    ],
  },
  {
    rule: "format is 1",
    edits: [[directory, '"format": 1', '"format": 2']],
    problems: [
      "directory.json:2:13  $.format  found 2, expected 1, the format that this version reads",
    ],
  },
  {
    rule: "format is a number, not a text",
    edits: [[directory, '"format": 1', '"format": "1"']],
    problems: [
      'directory.json:2:13  $.format  found "1", expected 1, the format that this version reads',
    ],
  },
  {
    rule: "a required key is missing at its object",
    edits: [[directory, '  "name": "Tiny",\n', ""]],
    problems: ["directory.json:1:1  $.name  is missing, expected a string"],
  },
  {
    rule: "baseUrl is an address",
    edits: [[directory, "https://api.tiny.example", "api.tiny.example"]],
    problems: [`directory.json:4:14  $.baseUrl  found "api.tiny.example", expected ${WEB}`],
  },
  {
    rule: "baseUrl is http or https",
    edits: [[directory, "https://api.tiny.example", "ftp://api.tiny.example"]],
    problems: [`directory.json:4:14  $.baseUrl  found "ftp://api.tiny.example", expected ${WEB}`],
  },
  {
    rule: "baseUrl has no credentials",
    edits: [[directory, "https://api.tiny.example", "https://me:secret@api.tiny.example"]],
    problems: [
      `directory.json:4:14  $.baseUrl  found "https://me:secret@api.tiny.example", expected ${WEB}`,
    ],
  },
  {
    rule: "baseUrl has no trailing slash",
    edits: [[directory, "https://api.tiny.example", "https://api.tiny.example/"]],
    problems: [
      'directory.json:4:14  $.baseUrl  found "https://api.tiny.example/", which must not end in a slash or have a query or fragment',
    ],
  },
  {
    rule: "contact is an address or mailto:",
    edits: [[directory, '"name": "Tiny",', '"name": "Tiny", "contact": "me@tiny.example",']],
    problems: [
      'directory.json:3:30  $.contact  found "me@tiny.example", expected an http:, https: or mailto: address',
    ],
  },
  {
    rule: "the nearest known key is named for an unknown key",
    edits: [[directory, '"baseUrl"', '"base_url"']],
    problems: [
      `directory.json:1:1  $.baseUrl  is missing, expected ${WEB}`,
      'directory.json:4:3  $.base_url  is not a known key; did you mean "baseUrl"?',
    ],
  },
  {
    rule: "a document is an object",
    files: { [directory]: "[1]" },
    problems: ["directory.json:1:1  $  found an array, expected an object"],
  },
  {
    rule: "an empty document is an error",
    files: { [directory]: " \n" },
    problems: ["directory.json:1:1  $  is empty, expected an object"],
  },
  {
    rule: "taxonomy slugs have the slug pattern",
    edits: [[taxonomy, '"slug": "web"', '"slug": "Web Site"']],
    problems: [`taxonomy.json:7:27  $.platforms[0].slug  found "Web Site", expected ${SLUG}`],
  },
  {
    rule: "category slugs are unique",
    edits: [[taxonomy, '"slug": "weather"', '"slug": "animals"']],
    problems: [
      'taxonomy.json:4:15  $.categories[1].slug  found "animals" a second time; the first is $.categories[0].slug',
    ],
  },
  {
    rule: "tag slugs are unique within tags, and may be categories too",
    edits: [
      [
        taxonomy,
        '"tags": [',
        '"tags": [{ "slug": "animals", "name": "", "group": "", "order": 0 }, { "slug": "free", "name": "", "group": "", "order": 0 }, ',
      ],
    ],
    problems: [
      'taxonomy.json:6:139  $.tags[2].slug  found "free" a second time; the first is $.tags[1].slug',
    ],
  },
  {
    rule: "platform slugs are unique",
    edits: [[taxonomy, '"platforms": [', '"platforms": [{ "slug": "web", "name": "" }, ']],
    problems: [
      'taxonomy.json:7:58  $.platforms[1].slug  found "web" a second time; the first is $.platforms[0].slug',
    ],
  },
  {
    rule: "order is a whole number",
    edits: [[taxonomy, '"order": 2', '"order": 2.5']],
    problems: ["taxonomy.json:4:72  $.categories[1].order  found 2.5, expected a whole number"],
  },
  {
    rule: "active is true or false",
    edits: [[taxonomy, '"active": false', '"active": "no"']],
    problems: ['taxonomy.json:4:85  $.categories[1].active  found "no", expected true or false'],
  },
  {
    rule: "a bad taxonomy is reported once, and listings are checked except for their slugs",
    edits: [[taxonomy, '"slug": "web", ', ""]],
    problems: [`taxonomy.json:7:17  $.platforms[0].slug  is missing, expected ${SLUG}`],
  },
];

describe("published format: directory.json and taxonomy.json are refused where they break a rule", () => {
  it.each(CASES)("$rule", async (bad) => {
    const { problems, warnings } = await outcomeOf(bad);
    expect(problems).toEqual(bad.problems);
    expect(warnings).toEqual(bad.warnings ?? []);
  });
});
