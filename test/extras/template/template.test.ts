import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installExtras, installedExtras } from "../../../src/extra.js";
import { createFetchHandler } from "../../../src/fetch/index.js";
import { build, folderStore, serve } from "../../../src/index.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../../fixtures.js";
import { publication as atEdge } from "./edge.js";
import { publication } from "./index.js";

const before = installedExtras();
const cleanUps: (() => Promise<void>)[] = [];
const folder = () => temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
let store: string;

beforeAll(async () => {
  installExtras([...before, publication]);
  store = await folder();
  await build(await writePublished(await folder(), aPublishedDirectory()), { store });
});
afterAll(async () => {
  installExtras(before);
  for (const cleanUp of cleanUps) await cleanUp();
});

describe("the template of an extra", () => {
  it("adds a read to the server and to the description of the API", async () => {
    const server = await serve(store, { port: 0 });
    try {
      const answer = await fetch(`${server.url}/api/publication`);
      expect([answer.status, await answer.json()]).toEqual([200, { data: { number: 1 } }]);
      expect((await fetch(`${server.url}/api/publication?x=1`)).status).toBe(400);
      const described = await (await fetch(`${server.url}/api/openapi.json`)).text();
      expect(described).toContain('"operationId":"getPublication"');
    } finally {
      await server.close();
    }
  });

  it("is answered at an edge only by a handler that is given it", async () => {
    const ask = async (extras: Parameters<typeof createFetchHandler>[0]["extras"]) => {
      const handler = await createFetchHandler({ store: folderStore(store), extras });
      return (await handler(new Request("https://a.example/api/publication"))).status;
    };
    expect([await ask([atEdge()]), await ask([])]).toEqual([200, 404]);
  });
});
