import { execFileSync } from "node:child_process";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/publish/build.js";
import { pointerText } from "../../src/store/pointer.js";
import { currentId } from "../../src/store/reader.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { repeated, someOf } from "../slow.js";
import { publishManifest } from "../store/forge.js";
import { builtStore, copiedStore } from "../store/trees.js";
import { aService, expectError, type Service, send } from "./http.js";

/** A watchdog, not a bar: a busy machine may take its time. */
const PICKED_UP = { timeout: 20_000, interval: 25 };
const REPORT = "/api/sites/example.com/report";

const ROUNDS = repeated(2, 4);
const NEW = Array.from({ length: ROUNDS }, (_, at) => `New ${at + 1}`);

function named(name: string): PublishedFiles {
  return aPublishedDirectory({ listings: [aListing({ name })] });
}

const readyId = async ({ server }: Service) =>
  (JSON.parse((await send(server, "/readyz")).text) as { snapshot?: string }).snapshot;

const nameServed = async ({ server }: Service) => {
  const { data } = JSON.parse((await send(server, REPORT)).text) as { data: { site: object } };
  return data.site;
};

describe("before there is a snapshot", () => {
  it(
    "reads are a 503 with Retry-After, bad requests are still a 400, and the server waits for a " +
      "snapshot",
    async () => {
      const service = await aService(null);
      const reads = ["/api/sites", REPORT, "/api/standards", "/.well-known/api-catalog"];
      for (const target of reads) {
        const reply = await send(service.server, target);
        expectError(reply, 503);
        expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
      }
      expectError(await send(service.server, "/api/sites?x=1"), 400);
      expectError(await send(service.server, "/nowhere"), 404);
      const unready = await send(service.server, "/readyz");
      expect([unready.status, unready.text]).toEqual([503, '{"ready":false}']);
      expect((await send(service.server, "/healthz")).status).toBe(200);
      // The server sees it by itself, without being told to look.
      const first = await writePublished(await temporaryFolder(), named("First"));
      await build(first, { store: service.store, jobs: 1, keep: 1 });
      await expect
        .poll(async () => (await send(service.server, REPORT)).status, PICKED_UP)
        .toBe(200);
    },
  );
});

describe("a new snapshot", () => {
  it("is loaded, and no request is dropped meanwhile", async () => {
    const service = await aService(named("Old"));
    const seen = new Set<string>();
    let running = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (running) {
        for (const target of [REPORT, "/api/sites", "/api/standards"]) {
          const reply = await send(service.server, target);
          expect(reply.status).toBe(200);
          if (target !== "/api/standards")
            seen.add(/"(Old|New \d)"/.exec(reply.text)?.[1] ?? "none");
        }
        await sleep(5);
      }
    });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const id = await service.publish(named(`New ${round}`));
      await expect.poll(() => readyId(service), PICKED_UP).toBe(id);
      await expect.poll(() => seen.has(`New ${round}`), PICKED_UP).toBe(true);
    }
    running = false;
    await Promise.all(clients);
    expect([...seen].sort()).toEqual([...NEW, "Old"]);
  });
});

const pipe = (path: string) => void execFileSync("mkfifo", [path]);

/** Each makes the snapshot with this id a bad one, or a bad one current. */
const damages: Record<string, (store: string, id: string) => Promise<unknown>> = {
  "a damaged manifest": (store, id) => flipByte(join(store, id, "manifest.json")),
  "a manifest with another count": async (store, id) => {
    const path = join(store, id, "manifest.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"historical":0', '"historical":1'));
  },
  "a missing pack": async (store) => {
    for (const name of await packsOf(store)) await rm(join(store, "segments", name));
  },
  "a missing manifest": (store, id) => rm(join(store, id, "manifest.json")),
  "a table with right checksums and wrong values": (store) =>
    publishManifest(store, ({ segments: [segment] }) => {
      segment!.rows += 1;
    }),
  "a damaged table": async (store, id) => flipByte(join(store, await tableOf(store, id))),
  "a pipe for a table": async (store, id) => {
    const table = join(store, await tableOf(store, id));
    await rm(table);
    pipe(table);
  },
  "a shortened table": async (store, id) => truncate(join(store, await tableOf(store, id)), 20),
  "a device for a document": async (store, id) => {
    const path = join(store, id, "public/api/tags.json");
    await rm(path);
    await symlink("/dev/zero", path);
  },
  "a missing table": async (store, id) => rm(join(store, await tableOf(store, id))),
  "a damaged document": (store, id) => flipByte(join(store, id, "public/api/tags.json")),
  "a missing document": (store, id) => rm(join(store, id, "public/.well-known/api-catalog")),
};

describe("a bad snapshot is refused with a log line, and the old one keeps answering", () => {
  it("whatever of it is damaged", async () => {
    const service = await aService(named("Old"));
    const old = await readyId(service);
    const tried = someOf(Object.entries(damages), 6);
    for (const [what, damage] of tried) {
      // Made beside, damaged, and then offered at once.
      const { store, result } = await builtStore(named(what));
      await damage(store, result.id);
      const id = (await currentId(store)) ?? "";
      await offer(service.store, store, id);
      service.server.reload();
      const refusal = `refused: ${id}`;
      await expect.poll(() => service.logged.join("\n"), PICKED_UP).toContain(refusal);
      expect([what, await nameServed(service)]).toMatchObject([what, { name: "Old" }]);
      expect(await readyId(service)).toBe(old);
    }
    const good = await service.publish(named("Good"));
    await expect.poll(() => readyId(service), PICKED_UP).toBe(good);
    expect(service.logged.filter((line) => line.includes("refused"))).toHaveLength(tried.length);
  });

  it("a current.json that is malformed, names a missing snapshot, or is a pipe", async () => {
    const service = await aService(named("Old"));
    const missing = "0".repeat(32);
    const refusals = [
      ["", "current.json does not match format"],
      [
        '{"format":3,"id":"x"}',
        "current.json has format 3, but this version of crawldex reads format 2: use the version",
      ],
      [
        pointerText({ id: missing, generation: 2, origin: "0".repeat(8) }),
        `${missing}/manifest.json cannot be read`,
      ],
    ] as const;
    for (const [text, reason] of refusals) {
      await writeFile(join(service.store, "current.json"), text);
      service.server.reload();
      await expect
        .poll(() => service.logged.at(-1), PICKED_UP)
        .toContain(`snapshot refused: ${reason}`);
      expect(await nameServed(service)).toMatchObject({ name: "Old" });
    }
    expect(service.logged).toHaveLength(4);
    const pointer = join(service.store, "current.json");
    await rm(pointer);
    pipe(pointer);
    const refusal = "current.json cannot be read: it is not a regular file";
    await expect.poll(() => service.logged.at(-1), PICKED_UP).toContain(refusal);
    await rm(pointer);
    const good = await service.publish(named("Good"));
    await expect.poll(() => readyId(service), PICKED_UP).toBe(good);
  });

  it("the whole store is gone: the loaded snapshot keeps answering, including reports from open packs", async () => {
    const service = await aService(named("Old"));
    expect(await nameServed(service)).toMatchObject({ name: "Old" });
    await rm(service.store, { recursive: true });
    expect(await nameServed(service)).toMatchObject({ name: "Old" });
    expect((await send(service.server, "/api/sites?q=old")).text).toContain('"total":1');
    expectError(await send(service.server, "/api/tags"), 502);
    expect((await send(service.server, "/readyz")).status).toBe(200);
  });
});

describe("damage found while serving is a 502 that reveals nothing about files", () => {
  it("a damaged answer in a pack: other answers still work, and the log names the damage once", async () => {
    const two = aPublishedDirectory({
      listings: [aListing(), aListing({ host: "other.com" })],
      scans: [aScan(), aScan({ host: "other.com" })],
    });
    const service = await aService(two);
    const [pack = ""] = await packsOf(service.store);
    const path = join(service.store, "segments", pack);
    const bytes = await readFile(path);
    bytes[bytes.indexOf('"host":"example.com"') + 8] = 0x58;
    await writeFile(path, bytes);
    for (let i = 0; i < 3; i += 1) expectError(await send(service.server, REPORT), 502);
    expect((await send(service.server, "/api/sites/other.com/report")).status).toBe(200);
    expect(service.logged.filter((line) => line.includes(pack))).toHaveLength(1);
  });

  it("a pack that is gone before its first read, until it is back", async () => {
    const { store } = await copiedStore();
    const { server } = await aService(null, onTestFinished, { store });
    const reports = Array.from({ length: 60 }, (_, n) => `/api/sites/site-${n}.example/report`);
    const packs = join(store, "segments");
    await rename(packs, `${packs}-away`);
    const replies = await Promise.all(reports.map((report) => send(server, report)));
    const lost = reports.filter((_, n) => replies[n]?.status !== 200);
    expect(lost.length).toBeGreaterThan(0);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectError(reply, 502);
    expect((await send(server, "/api/sites")).status).toBe(200);
    await rename(`${packs}-away`, packs);
    for (const report of lost) expect((await send(server, report)).status).toBe(200);
  });

  it("a public document that is rewritten, grown, shrunk or deleted while it is served", async () => {
    const service = await aService(named("Old"));
    const folder = join(service.store, String(await readyId(service)), "public/api");
    const harm: Record<string, (path: string, content: Buffer) => Promise<void>> = {
      standards: (path) => rm(path),
      tags: (path) => truncate(path, 10),
      categories: (path, content) => writeFile(path, `${content} `),
      openapi: (path, content) => writeFile(path, content.fill(0x20)),
    };
    for (const [name, harms] of Object.entries(harm)) {
      const path = join(folder, `${name}.json`);
      await harms(path, await readFile(path));
      for (const coding of ["identity", "gzip"]) {
        const headers = { "accept-encoding": coding };
        const target = name === "openapi" ? "/api/openapi.json" : `/api/${name}`;
        expectError(await send(service.server, target, { headers }), 502);
      }
    }
    expect((await send(service.server, "/api/sites")).status).toBe(200);
  });
});

/** The table of the first segment. */
async function tableOf(store: string, id: string): Promise<string> {
  const text = await readFile(join(store, id, "manifest.json"), "utf8");
  const manifest = JSON.parse(text) as { segments: { table: { file: string } }[] };
  return manifest.segments[0]?.table.file ?? "";
}

/** The names of a store's packs. */
async function packsOf(store: string): Promise<string[]> {
  return (await readdir(join(store, "segments"))).filter((name) => name.endsWith(".pack"));
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

/** Copies a snapshot from one store into another and makes it current there. */
async function offer(store: string, from: string, id: string): Promise<void> {
  for (const folder of ["segments", id]) {
    await mkdir(join(store, folder), { recursive: true });
    // `cp` refuses to copy a pipe.
    execFileSync("cp", ["-R", `${join(from, folder)}/.`, join(store, folder)]);
  }
  await cp(join(from, "current.json"), join(store, "current.json"));
}
