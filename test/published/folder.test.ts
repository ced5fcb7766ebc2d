import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLACES, readPublished, tinyDirectory, writeFiles } from "./tiny.js";

describe("permissions", () => {
  it.skipIf(process.getuid?.() === 0)("a file that cannot be read is an error", async () => {
    const folder = writeFiles(tinyDirectory());
    execFileSync("chmod", ["000", join(folder, PLACES.listing)]);
    const { problems } = await readPublished(folder);
    expect(problems).toEqual([
      "listings/single/gamma.json:1:1  $  cannot be read, permission denied (EACCES)",
    ]);
  });
});
