import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../../src/publish/build.js";
import { COMMAND } from "../../cli/spawned.js";
import { need } from "../../crash/tools.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { ROOT } from "../../house/sources.js";
import { manifestOf } from "../../store/forge.js";
import { manyListings } from "../../store/trees.js";

it("GNU parallel builds the parts by the recipe, and names the one that cannot be built", async (context) => {
  need(context, "parallel");
  const folder = await temporaryFolder();
  const files = manyListings();
  const published = await writePublished(join(folder, "published"), files);
  const command = join(folder, "crawldex");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(command, 0o755);
  const store = join(folder, "store");
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    CRAWLDEX_STORE: store,
    HOME: folder,
  };
  const script = [join(ROOT, "deploy/parts.sh"), published, "3"];
  const recipe = () => spawnSync("sh", script, { env, encoding: "utf8" });
  const ran = recipe();
  expect([ran.status, ran.stderr]).toMatchObject([0, expect.not.stringContaining("error")]);
  expect(ran.stdout).toContain("is current");
  await build(published, { store: join(folder, "one") });
  const { content } = await manifestOf(join(folder, "one"));
  expect((await manifestOf(store)).content).toBe(content);
  files.scans[0] = { ...files.scans[0]!, score: 101 };
  await writePublished(published, files);
  const failed = recipe();
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toMatch(/scans\/all\.ndjson.*score/);
  expect((await manifestOf(store)).content).toBe(content);
});
