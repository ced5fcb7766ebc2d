import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { afterRenames } from "../../renamed.js";
import { send, sharedService } from "../../server/http.js";
import { callTool, connected, ERAS } from "./mcp-client.js";

/*
 * What a model gets wrong about arguments. The error has to tell how to do it right: a corrector that knows nothing but
 * the error's text, and calls the tools that it names, has to succeed.
 */

const hosts = ["example.org", "b.com", "c.com"];
const service = sharedService(
  aPublishedDirectory({
    listings: hosts.map((host) =>
      aListing({
        host,
        platforms: ["wordpress"],
        tags: ["alpha"],
        entitlements: { history: true },
      }),
    ),
    scans: hosts.map((host) => aScan({ host })),
  }),
);
const renamed = sharedService(afterRenames());

type Args = Record<string, unknown>;
interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The most corrections of a call. */
const CORRECTIONS_MAX = 2;

/** What a tool answers, and the issues if it refuses the arguments. */
async function called(name: string, args: Args): Promise<{ answer: Args; issues: Issue[] }> {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const { text } = await send(service.server, "/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify(message),
  });
  const { result } = JSON.parse(text.replace(/^event: message\ndata: /, ""));
  if (result.isError !== true) return { answer: result.structuredContent, issues: [] };
  const { issues = [] } = JSON.parse(result.content[0].text);
  expect(issues.length, `${name} ${text.slice(0, 500)}`).toBeGreaterThan(0);
  for (const { message: said } of issues) expect(said.length).toBeLessThan(400);
  return { answer: {}, issues };
}

/** The value that a message tells to give; undefined if it tells to leave the argument out. */
async function toldValue(message: string, given: unknown): Promise<unknown> {
  const found = (pattern: RegExp) => pattern.exec(message)?.[1];
  const meant = found(/did you mean "([^"]+)"/);
  if (meant !== undefined) return meant;
  const kind = found(/list_terms has all of kind "(\w+)"/);
  if (kind !== undefined) {
    const { answer } = await called("list_terms", { kind });
    return (answer.data as { slug: string }[])[0]?.slug;
  }
  if (message.includes("search_sites finds listed sites")) {
    const { answer } = await called("search_sites", { q: "example" });
    return (answer.data as { host: string }[])[0]?.host;
  }
  const list = found(/not a text that has one: (\[.+\])$/);
  if (list !== undefined) return JSON.parse(list);
  if (message.endsWith("it is one value, not a list")) return (given as unknown[])[0];
  const most = found(/may have at most (\d+) values/);
  if (most !== undefined) return (given as unknown[]).slice(0, Number(most));
  const [, least] = /from (\d+) to \d+$/.exec(message) ?? [];
  if (least !== undefined) return Number(least);
  const word = found(/(?:must be one of|must be) ([\w-]+)(?:, [\w-]+| or [\w-]+|$)/);
  if (word !== undefined) return word;
  const [, shortest, longest] = /must have (\d+) to (\d+) characters/.exec(message) ?? [];
  if (shortest !== undefined) return String(given).slice(0, Number(longest));
  return found(/must be a host such as ([^ ,]+)/);
}

/** The arguments as an issue says that they should be. */
async function corrected(args: Args, { path, message }: Issue): Promise<Args> {
  const [, name = "", index] = /^([^[]+)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const { [name]: given, ...others } = args;
  if (message.startsWith("is no argument of this tool")) {
    const meant = /did you mean "(\w+)"/.exec(message)?.[1];
    return meant === undefined ? others : { ...others, [meant]: given };
  }
  if (message === "must not exceed maxScore") return { ...args, minScore: args.maxScore };
  if (message.includes("leave it out")) return others;
  if (message.startsWith("is required: a list")) {
    return { ...args, [name]: [await toldValue(message, given)] };
  }
  if (index === undefined) return { ...args, [name]: await toldValue(message, given) };
  const values = [given].flat();
  const isTwice = message.startsWith("is the same host");
  const value = isTwice ? [] : [await toldValue(message, values[Number(index)])];
  return { ...args, [name]: values.toSpliced(Number(index), 1, ...value) };
}

interface Parameter {
  readonly type: "string" | "integer" | "array";
  readonly examples: readonly [unknown];
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}
interface Described {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, Parameter>>;
    readonly required: readonly string[];
  };
}

/** Values that are valid, by argument; the other arguments that a call with it needs. */
const VALID: Readonly<Record<string, unknown>> = {
  host: "b.com",
  scan: "scan_1",
  hosts: ["b.com", "c.com"],
  figure: "listed",
  check: "https",
  category: "weather",
  crawler: "GPTBot",
};

function othersOf(tool: Described, name: string): Args {
  const { required } = tool.inputSchema;
  const needed = required.filter((one) => one !== name).map((one) => [one, VALID[one]]);
  return { ...Object.fromEntries(needed), ...(name === "check" && passingOf(tool)) };
}

const passingOf = ({ name }: Described) => (name === "facts" ? { figure: "passing" } : {});

/** Wrong values of an argument, by what is wrong with them. */
function wrongValues(tool: Described, name: string): Record<string, unknown> {
  const { type, maximum = 0, maxItems = 0 } = tool.inputSchema.properties[name]!;
  const wrong: Record<string, unknown> = {
    "a truth value": true,
    "an object": { a: { b: [1] } },
    "a huge text": "x".repeat(30_000),
  };
  if (type !== "array") wrong["a list for one value"] = [argumentOf(tool, name)];
  if (type === "integer") {
    Object.assign(wrong, {
      "a word": "many",
      "too great a number": maximum + 1,
      "a number below zero": -1,
      "a fraction": 1.5,
    });
  }
  if (type === "array") {
    wrong["too many values"] = Array.from({ length: maxItems + 1 }, (_, at) =>
      name === "hosts" ? `h${at}.com` : `h${at}`,
    );
    wrong["an object in a list"] = [{ a: 1 }];
  }
  if (tool.inputSchema.required.includes(name)) {
    Object.assign(wrong, { null: null, nothing: undefined, "a blank text": " " });
    if (type === "array") wrong["an empty list"] = [];
  }
  if (/^hosts?$/.test(name)) wrong["a text that is no host"] = "no host at all";
  if (name === "hosts") {
    wrong["a list as a text"] = '["b.com", "c.com"]';
    wrong["hosts with commas"] = "b.com,c.com";
    wrong["a host twice"] = ["b.com", "c.com", "https://www.b.com/x"];
  }
  if (tool.inputSchema.properties[name]!.enum) wrong["another word"] = "nonsense";
  return wrong;
}

/** The tools, as an agent sees them. */
async function listedTools(): Promise<readonly Described[]> {
  const client = await connected(service.server.url, ERAS[0]);
  return (await client.listTools()).tools as unknown as Described[];
}

/** Calls a tool until the corrector has no more to correct. @returns the number of corrections */
async function correctedTimes({ name, inputSchema }: Described, given: Args): Promise<number> {
  const known = [...Object.keys(inputSchema.properties), ...Object.keys(given)];
  let args = given;
  for (let times = 0; ; times += 1) {
    const { issues } = await called(name, args);
    const [first] = issues;
    if (first === undefined) return times;
    const shown = `${name} ${JSON.stringify(args).slice(0, 300)}: ${JSON.stringify(issues)}`;
    expect(times, shown).toBeLessThan(CORRECTIONS_MAX);
    for (const { path } of issues) expect(known, shown).toContain(path.replace(/\[\d+\]$/, ""));
    args = await corrected(args, first);
  }
}

it("each wrong value of each argument of each tool is put right by what the error says", async () => {
  const twice = new Set<string>();
  let count = 0;
  for (const tool of await listedTools()) {
    for (const name of Object.keys(tool.inputSchema.properties)) {
      for (const [what, value] of Object.entries(wrongValues(tool, name))) {
        const times = await correctedTimes(tool, { ...othersOf(tool, name), [name]: value });
        expect(times, `${tool.name} ${name}: ${what}`).toBeGreaterThan(0);
        if (times > 1) twice.add(`${tool.name} ${name}`);
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(100);
  // One of the figures needs a check.
  expect([...twice].sort()).toEqual(["facts figure"]);
}, 60_000);

it("each misspelt name of an argument is put right, and one that has nothing near is left out", async () => {
  for (const tool of await listedTools()) {
    const names = Object.keys(tool.inputSchema.properties);
    for (const name of names.filter((one) => one.length > 3)) {
      const { [name]: value = argumentOf(tool, name), ...others } = othersOf(tool, "");
      const isOther = name === "check" && passingOf(tool);
      for (const wrong of [
        name.toUpperCase(),
        `${name}_`,
        name.slice(1),
        `${name.slice(0, -1)}x`,
      ]) {
        const args = { ...others, ...isOther, [wrong]: value };
        expect(await correctedTimes(tool, args), `${tool.name} ${wrong}`).toBe(1);
      }
    }
    const { issues } = await called(tool.name, { ...othersOf(tool, ""), colour: 1 });
    expect(issues[0]?.message, tool.name).toContain(`it takes only ${names.join(", ")}`);
  }
});

const argumentOf = (tool: Described, name: string) =>
  VALID[name] ?? tool.inputSchema.properties[name]!.examples[0];

it.each<[tool: string, args: Args, name: string, meant: string]>([
  ["facts", { figure: "listed", category: "wether" }, "category", "weather"],
  ["facts", { figure: "listed", category: "Weather" }, "category", "weather"],
  ["facts", { figure: "passing", check: "HTTPS" }, "check", "https"],
  ["facts", { figure: "passing", check: "htps" }, "check", "https"],
  ["recent_changes", { category: "WEATHER" }, "category", "weather"],
  ["crawler_access", { crawler: "GTPBot" }, "crawler", "GPTBot"],
  ["get_methodology", { check: "http" }, "check", "https"],
  ["search_sites", { category: ["news", "Weather"] }, "category[1]", "weather"],
  ["search_sites", { platform: "Word press" }, "platform[0]", "wordpress"],
  ["search_sites", { band: ["Opens"] }, "band[0]", "open"],
])("%s with %j is told what %s may have meant", async (tool, args, path, meant) => {
  const { issues } = await called(tool, args);
  expect(issues).toMatchObject([{ path, message: expect.stringContaining(`"${meant}"`) }]);
  const right = await corrected(args, issues[0]!);
  expect((await called(tool, right)).issues).toEqual([]);
});

it("a text that is near no term has no hint", async () => {
  for (const category of ["x", "zzzzzz", { weather: 1 }]) {
    const { issues } = await called("facts", { figure: "listed", category });
    expect(issues[0]?.message).toMatch(/no category of this directory; list_terms has all/);
  }
});

it("a check that is a penalty, or is given for another figure, is an error that tells what to do", async () => {
  const [facts] = (await listedTools()).filter(({ name }) => name === "facts");
  for (const args of [
    { figure: "passing" },
    { figure: "passing", check: "blocked" },
    { figure: "scores", check: "https" },
  ]) {
    expect(await correctedTimes(facts!, args)).toBe(1);
  }
  expect(await correctedTimes((await listedTools())[0]!, { minScore: 80, maxScore: 20 })).toBe(1);
});

it("a host without a report, and a scan that cannot be read, are errors that tell what to do", async () => {
  const tools = new Map((await listedTools()).map((tool) => [tool.name, tool]));
  for (const [name, args] of [
    ["get_report", { host: "nowhere.com" }],
    ["recent_changes", { host: "nowhere.com" }],
    ["get_report", { host: "b.com", scan: "none" }],
  ] as const) {
    expect(await correctedTimes(tools.get(name)!, args), name).toBe(1);
  }
});

it("the index of an unknown slug is its place in the call, whatever stands before it", async () => {
  const client = await connected(renamed.server.url, ERAS[0]);
  const paths = async (args: Args) => {
    const { unknown } = await callTool(client, "search_sites", args);
    return (unknown as Issue[]).map(({ path }) => path);
  };
  // A former slug and the present one of the same category are one term.
  const both = ["news", "latest-news", "nowhere"];
  expect(await paths({ category: both })).toEqual(["category[2]"]);
  expect(await paths({ category: ["", null, "nowhere"], tag: ["zeta", "none", "none"] })).toEqual([
    "category[2]",
    "tag[1]",
    "tag[2]",
  ]);
});
