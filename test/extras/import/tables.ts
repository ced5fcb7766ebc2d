import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { importTables } from "../../../src/extras/import/import.js";
import type { ImportOptions } from "../../../src/extras/import/options.js";
import { readTable, type Table } from "../../../src/extras/import/table.js";
import { BadInputError } from "../../../src/input/checking/problem.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../../fixtures.js";

/** An empty published directory beside a folder for tables. */
export async function aFolder() {
  const folder = await temporaryFolder();
  const documents = aPublishedDirectory({ listings: [], scans: [] });
  const published = await writePublished(join(folder, "published"), documents);
  const given = async (name: string, table: string | Buffer, options?: ImportOptions) => {
    await writeFile(join(folder, name), table);
    return importTables([join(folder, name)], { published, ...options });
  };
  const recordsIn = async (file: string) =>
    (await readFile(join(published, file), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  const document = async (name: string) =>
    JSON.parse(await readFile(join(published, name), "utf8")) as Record<string, object[]>;
  return { folder, published, given, recordsIn, document };
}

export function tableIn(text: string): Table {
  return readTable(text, (members) => members.includes("host"));
}

/** What a refused import says of each problem. */
export async function refusal(work: Promise<unknown>): Promise<string[]> {
  const error = await work.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(BadInputError);
  const { problems } = error as BadInputError;
  return problems.map(({ file, line, path, message }) => `${file}:${line} ${path} ${message}`);
}
