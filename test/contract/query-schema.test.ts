import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { parametersOf } from "../../src/contract/openapi/openapi-reads.js";
import { type QueryReading, readQuery } from "../../src/contract/query.js";
import { ROUTE_NAMES, ROUTES } from "../../src/contract/routes.js";
import { chance, pick, seeded, whole } from "../oracle/random.js";
import { repeated } from "../slow.js";

const COUNT = repeated(2_000, 8_000);

/** Values at and beside the limits of every kind of parameter. */
const VALUES = [
  ..."a A clinic open-data a--b -a a_b a.b scn_001 claimed sold score score-asc host best".split(
    " ",
  ),
  ..."0 1 007 50 99 100 101 10000 10001 5.5 -1 1e1 99999999999999999999".split(" "),
  ...["", " a ", "  ", "a\n", "é", "🌦", "🌦🌦", "claimed "],
  ...[2, 80, 81, 120, 121, 128, 129].map((length) => "x".repeat(length)),
  ...[120, 121].map((length) => "🌦".repeat(length)),
];

const ajv = new Ajv2020({ strict: true, allErrors: true });
const READS = ROUTE_NAMES.flatMap((name) => {
  const { query } = ROUTES[name];
  if (query === null) return [];
  const parameters = parametersOf(ROUTES[name]).filter((one) => one.in === "query");
  const validate = ajv.compile({
    type: "object",
    properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
    required: parameters.filter((one) => one.required).map((one) => one.name),
    additionalProperties: false,
  });
  return { query, parameters, validate };
});
type Read = (typeof READS)[number];

it("the reader accepts a query if the schemas of its parameters accept the values", () => {
  const random = seeded(16);
  const counts = { accepted: 0, refused: 0 };
  for (let time = 0; time < COUNT; time += 1) {
    const read = pick(random, READS);
    const given = randomValues(random, read);
    const raw = [...given].flatMap(([name, values]) =>
      values.map((value) => `${name}=${encodeURIComponent(value)}`),
    );
    const reading: QueryReading<object> = readQuery(read.query, raw.join("&"));
    const isValid = read.validate(valuesOf(given, read));
    expect(reading.ok, raw.join("&")).toBe(isValid && !isReversed(given));
    counts[reading.ok ? "accepted" : "refused"] += 1;
    if (reading.ok) expect(read.validate(reading.value)).toBe(true);
  }
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(COUNT / 4);
});

/** Values by name, mostly of the read's own parameters and mostly one or two of them. */
function randomValues(random: () => number, { parameters }: Read): Map<string, string[]> {
  const names = [...parameters.map(({ name }) => name), ...(chance(random, 0.05) ? ["other"] : [])];
  const given = new Map<string, string[]>();
  for (let count = whole(random, 0, 3); count > 0 && names.length > 0; count -= 1) {
    const name = pick(random, names);
    const parameter = parameters.find((one) => one.name === name);
    const { enum: words = [], type } = parameter?.schema ?? {};
    const likely = type === "integer" ? ["0", "7", "30", "100"] : words.map(String);
    const isList = type === "array" && chance(random, 0.3);
    const value = () => pick(random, chance(random, 0.6) && likely.length > 0 ? likely : VALUES);
    given.set(name, Array.from({ length: isList ? whole(random, 1, 12) : 1 }, value));
  }
  return given;
}

/** The values as JSON, as far as a client writes them like JSON. White space at a text's ends does not count. */
function valuesOf(given: ReadonlyMap<string, string[]>, { parameters }: Read): object {
  const values = [...given].map(([name, texts]) => {
    const type = parameters.find((one) => one.name === name)?.schema.type;
    const [text = ""] = texts;
    const isNumber = type === "integer" && /^(?:0|[1-9]\d*)$/.test(text);
    const scalar = isNumber ? Number(text) : name === "q" ? text.trim() : text;
    return [name, type === "array" ? texts : scalar];
  });
  return Object.fromEntries(values);
}

function isReversed(given: ReadonlyMap<string, string[]>): boolean {
  return Number(given.get("minScore")) > Number(given.get("maxScore"));
}
