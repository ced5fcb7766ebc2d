import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build } from "../../../src/publish/build.js";
import { serve } from "../../../src/server/serve.js";
import { expectNumbersLead } from "../../answer/numbered.js";
import { temporaryFolder } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { REAL } from "../../real.js";

it("each number of sites on a matrix leads to a list of so many", async () => {
  const store = join(await temporaryFolder(), "store");
  await build(REAL.folder, { store, keep: 1 });
  const server = await serve(store, { port: 0, ...NO_PICTURES });
  onTestFinished(() => server.close());
  for (const path of ["/matrix/weather", "/matrix/weather?fails=described", "/matrix/finance"])
    expect(await expectNumbersLead(server.url, path, 25)).toBeGreaterThan(2);
});
