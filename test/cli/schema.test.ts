import { expect, it } from "vitest";
import { publishedSchema } from "../../src/published/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../../src/published/locating/regular-file.js";
import { crawldex } from "./spawned.js";

it.each(PUBLISHED_RECORDS)(
  "crawldex schema %s prints it, with --json in an object on one line",
  async (record) => {
    const { code, stdout, stderr } = await crawldex(["schema", record]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(publishedSchema(record));
    const json = await crawldex(["schema", record, "--json"]);
    const schema = publishedSchema(record);
    expect(json.stdout).toBe(`${JSON.stringify({ ok: true, record, schema })}\n`);
  },
);
