import { join } from "node:path";
import { beforeAll, describe, it } from "vitest";
import { build } from "../../../src/publish/build.js";
import { writeSample } from "../../../src/sample/sample.js";
import { serve } from "../../../src/server/serve.js";
import type { RunningServer } from "../../../src/server/server.js";
import { temporaryFolder } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { REAL } from "../../real.js";
import { CLIENTS, expectEveryTool, type Names } from "./every-tool.js";
import { type Published, readPublished } from "./published.js";

/** What calls need, from a directory's records. */
function namesIn({ sites, standards }: Published): Names {
  const all = [...sites.values()];
  const older = all.find(
    ({ listing, scans }) => listing.entitlements?.history === true && scans.length > 1,
  );
  const check = standards.checks.find(({ kind }) => kind === "achievement")?.id;
  const category = all.find(({ listing }) => listing.category)?.listing.category;
  if (older === undefined || !check || !category) throw new Error("the directory has too little");
  const [first = "", second = ""] = sites.keys();
  const scan = older.scans[1]!.id;
  return { hosts: [first, second], older: { host: older.listing.host, scan }, check, category };
}

describe.each([
  ["the sample", null],
  [`${REAL.listings} real listings`, REAL.folder],
])("of %s", (_, real) => {
  let server: RunningServer;
  let names: Names;
  beforeAll(async () => {
    const cleanUps: (() => Promise<void>)[] = [];
    const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
    const published = real ?? join(folder, "published");
    if (real === null) await writeSample(published);
    names = namesIn(await readPublished(published));
    const store = join(folder, "store");
    await build(published, { store, keep: 1 });
    server = await serve(store, { port: 0, ...NO_PICTURES });
    return async () => {
      await server.close();
      for (const cleanUp of cleanUps) await cleanUp();
    };
  }, 60_000);

  it.each(Object.keys(CLIENTS))("every tool answers by its schema, to %s", async (client) => {
    await expectEveryTool(await CLIENTS[client]!(server.url), names);
  });
});
