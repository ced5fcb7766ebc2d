/**
 * Writes the package's declarations of answers, parameters and published records. TypeScript's own would have the
 * properties' types but not their descriptions and examples, which the schemas have. Also lets the library's
 * declarations have the options of extras.
 *
 *     tsx .build/declarations.ts dist
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import glob from "fast-glob";
import openapiTS, { astToString } from "openapi-typescript";
import { answerName, componentSchemas } from "../src/contract/openapi.js";
import type { ParameterTable } from "../src/contract/query.js";
import { parameterSchema } from "../src/contract/read-descriptions.js";
import { ROUTES, type Route, type RouteName } from "../src/contract/routes.js";
import type { OpenApiSchema } from "../src/contract/values.js";
import { installExtras, installedDescriptions } from "../src/extra.js";
import { EXTRAS } from "../src/extras/index.js";
import { publishedSchema } from "../src/input/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../src/input/locating/files.js";

const HEADER = "// Generated from the schemas of crawldex: see .build/declarations.ts.\n\n";
/** What `crawldex/client` exports by name. */
const NAMED = [
  "AccessPolicy",
  "Enrichment",
  "Facets",
  "Issue",
  "Report",
  "SiteSummary",
  "Standards",
  "Suggestion",
  "TaxonomyEntry",
];

/**
 * The reads beyond the contract that the client has methods for, with the names of their answers' types. An answer that
 * no extra describes is unknown.
 */
const EXTENDED: Readonly<Record<string, string>> = {
  readBatch: "BatchAnswer",
  readChanges: "ChangesAnswer",
  getDump: "DumpAnswer",
  preflight: "PreflightAnswer",
  readAccess: "AccessAnswer",
  getTrends: "TrendsAnswer",
};

installExtras(EXTRAS);
const dist = process.argv[2] ?? "dist";
writeFileSync(join(dist, "src/client/answers.d.ts"), await answers());
writeFileSync(join(dist, "src/input/records.d.ts"), await records());
const library = join(dist, "src/index.d.ts");
if (existsSync(library)) appendFileSync(library, await augmentations());

/** Imports of the modules in which extras declare their options: the compiler leaves out what names no type. */
async function augmentations(): Promise<string> {
  const modules = await glob("extras/*/*.d.ts", { cwd: join(dist, "src") });
  return modules
    .filter((path) => readFileSync(join(dist, "src", path), "utf8").includes("declare module"))
    .sort()
    .map((path) => `import "./${path.replace(/\.d\.ts$/, ".js")}";\n`)
    .join("");
}

async function answers(): Promise<string> {
  const routes = Object.entries(ROUTES) as [RouteName, Route][];
  const described = await installedDescriptions();
  const extensions = described.flatMap(({ route }) => {
    const named = EXTENDED[route.id];
    return named === undefined ? [] : { ...route, named };
  });
  const queries = routes.flatMap(([name, { query }]) =>
    query === null || Object.keys(query).length === 0 ? [] : [{ name, query }],
  );
  const schemas = {
    ...componentSchemas(described),
    ...Object.fromEntries(queries.map(({ name, query }) => [`${name}Query`, querySchema(query)])),
  };
  return declarations(schemas, [
    ...NAMED.map((name) => `export type ${name} = ${typeOf(name)};`),
    "/** The bodies of 200 answers, by the route's name. */",
    `export interface Answers {`,
    ...routes.map(([name, { id }]) => `  ${name}: ${typeOf(answerName(id))};`),
    "}",
    ...extensions.flatMap(({ id, path, named }) => [
      `/** What \`${path}\` answers, beyond the contract. */`,
      `export type ${named} = ${typeOf(answerName(id))};`,
    ]),
    ...Object.values(EXTENDED)
      .filter((name) => !extensions.some(({ named }) => named === name))
      .map((name) => `export type ${name} = unknown;`),
    "/** One change of a site. */",
    `export type SiteChange = ${
      extensions.some(({ named }) => named === "ChangesAnswer")
        ? 'ChangesAnswer["data"][number]'
        : "unknown"
    };`,
    "/** The parameters of the reads that have some, by the route's name. */",
    "export interface Parameters {",
    ...queries.map(({ name }) => `  ${name}: ${typeOf(`${name}Query`)};`),
    "}",
  ]);
}

async function records(): Promise<string> {
  const schemas = PUBLISHED_RECORDS.map((record) => {
    const name = `Published${record.charAt(0).toUpperCase()}${record.slice(1)}`;
    const { $defs, ...schema } = publishedSchema(record);
    return { name, all: { ...$defs, [name]: schema } };
  });
  return declarations(
    Object.assign({}, ...schemas.map(({ all }) => all)),
    schemas.flatMap(({ name, all }) => [
      `/** ${all[name]?.description?.replaceAll("*/", "*\\/")} */`,
      `export type ${name} = ${typeOf(name)};`,
    ]),
  );
}

/** The schema of valid queries: a parameter that has a default has a value in each of them. */
function querySchema(table: ParameterTable): OpenApiSchema {
  const parameters = Object.entries(table);
  const properties = parameters.map(([name, parameter]) => {
    const { description, example } = parameter;
    return [name, { ...parameterSchema(parameter), description, examples: [example] }];
  });
  const sure = parameters.filter(([, one]) => one.isRequired || one.absent !== undefined);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: sure.map(([name]) => name),
  };
}

function typeOf(schema: string): string {
  return `components["schemas"]["${schema}"]`;
}

/**
 * A reviver that makes tuples of lists of a fixed length. Published schemas have no tuples, because the dialects of
 * JSON Schema write them differently.
 */
function asTuple(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("items" in value)) return value;
  const { minItems, maxItems, items, ...rest } = value as OpenApiSchema;
  if (typeof minItems !== "number" || minItems !== maxItems) return value;
  return { ...rest, prefixItems: Array.from({ length: minItems }, () => items), items: false };
}

async function declarations(
  schemas: Record<string, OpenApiSchema>,
  lines: readonly string[],
): Promise<string> {
  const document = {
    openapi: "3.1.0",
    info: { title: "crawldex", version: "1.0.0" },
    paths: {},
    components: { schemas },
  };
  const text = JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/');
  const types = await openapiTS(JSON.parse(text, asTuple), { defaultNonNullable: false });
  return `${HEADER}${astToString(types)}\n${lines.join("\n")}\n`;
}
