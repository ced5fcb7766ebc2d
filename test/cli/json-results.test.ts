import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultSchema } from "../../.build/json-results.js";
import { program } from "../../cli/program.js";
import { layout } from "../../src/store/layout.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import { aListing, aPublishedDirectory, aScan, temporaryFolder, writePublished } from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import { serveProcess } from "./served.js";
import { crawldex } from "./spawned.js";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const CHECKS = new Map(
  program.commands.map((command) => {
    const name = command.name();
    return [name, ajv.compile(JSON.parse(resultSchema(name)))];
  }),
);

/** Commands in the prepared folder that succeed. Later ones see what earlier ones did. */
const SUCCEEDING = [
  "init made",
  "sample sampled --listings 3",
  "schema scan",
  "completion zsh",
  "validate published",
  "validate odd",
  "build odd",
  "build published --max-removed 100%",
  "explain",
  "explain www.example.com",
  "diff FIRST",
  "export site",
  "export site --server",
  "verify",
  "rollback --restore-missing",
  "explain",
];

/** Commands that fail, with the exit code of each. */
const FAILING: Record<string, number> = {
  "init published": 2,
  "sample published": 2,
  "schema report": 2,
  "completion tcsh": 2,
  "validate broken": 3,
  "build broken": 3,
  "build nowhere": 3,
  "build published --store many": 6,
  "explain localhost": 2,
  "explain example.com --store none": 1,
  "diff 0123456789": 1,
  "export published": 2,
  "verify none": 1,
  "verify damaged": 4,
  "rollback none": 1,
  "serve none": 1,
  "serve --port x": 2,
};

let folder: string;
let cleanUp: () => Promise<void>;
beforeAll(async () => {
  folder = await temporaryFolder((remove) => {
    cleanUp = remove;
  });
  const files = aPublishedDirectory();
  await writePublished(join(folder, "published"), files);
  const blocked = aListing({ host: "blocked.example", visibility: "blocked" });
  const odd = { listings: [aListing(), blocked], scans: [aScan(), aScan({ host: "gone.example" })] };
  await writePublished(join(folder, "odd"), aPublishedDirectory(odd));
  await writePublished(join(folder, "many"), manyListings(40));
  await crawldex(["build", "many", "--store", "many-store"], folder);
  await rm(join(folder, "many"), { recursive: true });
  await writePublished(join(folder, "broken"), files);
  await writeFile(join(folder, "broken/listings/bad.ndjson"), '{"host":"Example.com"}\n');
});
afterAll(() => cleanUp());
