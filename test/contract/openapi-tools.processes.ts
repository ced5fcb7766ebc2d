import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Publisher } from "../../src/contract/openapi.js";
import { slowIt } from "../slow.js";
import { PUBLISHER, servedDescription } from "./description.js";

const REDOCLY = fileURLToPath(
  new URL("../../node_modules/@redocly/cli/bin/cli.js", import.meta.url),
);

/** Ends the linter as soon as it looks for the network: linting has no business there. */
const OFFLINE = `import net from "node:net"; net.Socket.prototype.connect = () => process.exit(99);`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "crawldex-openapi-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What Redocly's recommended rules find, as `severity rule path`. */
function lint(publisher: Publisher): string[] {
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(servedDescription(publisher)));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(OFFLINE)}`,
      REDOCLY,
      "lint",
      file,
      "--extends=recommended",
      "--format=json",
    ],
    {
      cwd: folder,
      encoding: "utf8",
      env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  expect([0, 1], stderr).toContain(status);
  const { problems } = JSON.parse(stdout) as {
    problems: { severity: string; ruleId: string; location: { pointer: string }[] }[];
  };
  return problems.map(({ severity, ruleId, location }) => {
    const pointer = location[0]?.pointer ?? "";
    return `${severity} ${ruleId} ${pointer.replaceAll("~1", "/").replace(/^#\//, "")}`;
  });
}

describe("openapi.json passes Redocly's recommended rules", () => {
  it("with no error and no warning", () => {
    expect(lint(PUBLISHER)).toEqual([]);
  });

  slowIt("if the publisher gives a licence's address", () => {
    expect(lint({ ...PUBLISHER, license: "https://readable.example/license" })).toEqual([]);
  });

  slowIt("with one more warning if the publisher names no licence", () => {
    const bare = { ...PUBLISHER, description: null, contact: null, license: null };
    expect(lint(bare)).toEqual(["warn info-license info"]);
  });
});

const CLIENT = `
import type { paths } from "./api.js";

type Search = paths["/api/sites"]["get"];
type Answer = Search["responses"][200]["content"]["application/json"];
declare const answer: Answer;
declare const error: paths["/api/sites"]["get"]["responses"][400]["content"]["application/json"];

export const query: NonNullable<Search["parameters"]["query"]> = {
  q: "weather",
  category: ["weather", "science"],
  band: ["good"],
  status: "claimed",
  minScore: 50,
  sort: "score-asc",
  page: 2,
};
export const first: { host: string; latestScore: number | null } | undefined = answer.data[0];
export const forbidden: string =
  (null as never as paths["/api/sites/{host}/report"]["get"]["responses"][403]["content"]["application/json"]).error;
export const issue: string | undefined = error.issues?.[0]?.path;
export const host: paths["/api/sites/{host}/report"]["get"]["parameters"]["path"] = { host: "example.com" };

// @ts-expect-error no such order
export const sort: NonNullable<Search["parameters"]["query"]>["sort"] = "best";
// @ts-expect-error a repeated parameter takes a list
export const tag: NonNullable<Search["parameters"]["query"]>["tag"] = "weather";
// @ts-expect-error suggestions need a text
export const suggest: paths["/api/sites/suggestions"]["get"]["parameters"]["query"] = {};
// @ts-expect-error categories have no 400
export type Categories = paths["/api/categories"]["get"]["responses"][400];
// @ts-expect-error issues may be absent
export const path: string = error.issues[0].path;
`;

describe("openapi.json makes a client's types", () => {
  it("openapi-typescript's types compile in strict mode, and match the contract", async () => {
    const types = astToString(await openapiTS(JSON.stringify(servedDescription())));
    const client = join(folder, "client.ts");
    writeFileSync(join(folder, "api.ts"), types);
    writeFileSync(client, CLIENT);
    const program = ts.createProgram([client], {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: [],
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(messages).toEqual([]);
    expect(program.getSourceFiles().map(({ fileName }) => fileName)).toContain(
      join(folder, "api.ts"),
    );
  });
});
