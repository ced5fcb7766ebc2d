import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/replica/serve.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { apacheRules } from "../../src/site/hosts/apache.js";
import { caddyRules } from "../../src/site/hosts/caddy.js";
import { type Reply, type Sent, send } from "../runtime/http.js";
import { HEADERS, seen } from "../site/compared.js";
import { aSite, type Site, variedListings } from "../site/sites.js";
import { ENCODED, ERRORS, PAGES, READS } from "../site/targets.js";
import { startApache, startCaddy } from "./servers/debian.js";
import type { HostServer } from "./servers/started.js";
import { applyRules, layOut } from "./trees.js";

const cleanUps: (() => Promise<void>)[] = [];
let own: Site;
let runtime: RunningServer;

beforeAll(async () => {
  const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  own = await aSite(variedListings(), 1, finished);
  await own.export();
  await layOut(own);
  runtime = await serve(own.store, { port: 0, host: "127.0.0.1", log: () => {} });
  finished(() => runtime.close());
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const HOSTS = {
  apache: async (tree: string) => {
    await applyRules(tree, apacheRules({ root: tree, base: "/", isPacked: false }));
    return startApache(tree, true);
  },
  caddy: async (tree: string) => {
    await applyRules(tree, caddyRules({ root: tree, base: "/", isPacked: false }));
    return startCaddy(() => readFile(`${tree}.Caddyfile`, "utf8"));
  },
};
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe.each(Object.entries(HOSTS))("%s", (name, start) => {
  let server: HostServer;
  beforeAll(async () => {
    const tree = join(own.folder, `tree-${name}`);
    await cp(own.site, tree, { recursive: true });
    server = await start(tree);
    cleanUps.unshift(server.stop);
  });
  const both = async (target: string, sent?: Sent): Promise<{ ours: Reply; theirs: Reply }> => ({
    ours: await send(runtime, target, sent),
    theirs: await send(server, target, sent),
  });
  it.each([...READS, ...ENCODED, ...PAGES, ...ERRORS])("%s", async (target) => {
    for (const accept of ["", BROWSER, "text/markdown"]) {
      const { ours, theirs } = await both(target, { headers: accept === "" ? {} : { accept } });
      expect([accept, seen(theirs)]).toEqual([accept, seen(ours)]);
    }
  });
  it.each([...READS, ...PAGES, ...ERRORS])("methods of %s", async (target) => {
    for (const method of ["HEAD", "OPTIONS", "POST"]) {
      const { ours, theirs } = await both(target, { method });
      expect([method, seen(theirs)]).toEqual([method, seen(ours)]);
    }
  });
});
void HEADERS;
