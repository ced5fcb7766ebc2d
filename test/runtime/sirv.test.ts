import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sirv from "sirv";
import { describe, expect, it, onTestFinished } from "vitest";
import { DocumentFiles } from "../../src/runtime/snapshot/documents.js";
import { temporaryFolder, writeFiles } from "../fixtures.js";
import { headerOf, Wire } from "./wire.js";

const { version } = createRequire(import.meta.url)("sirv/package.json") as { version: string };
const FILE = "0123456789";

/** A folder with one file, and a server that answers by sirv itself, or by what guards it. */
async function served(by: "sirv" | "guard") {
  const folder = await writeFiles(await temporaryFolder(), { "a.json": FILE });
  const plain = sirv(folder, { dev: false, etag: false });
  const documents = await DocumentFiles.open(folder, ["a.json"]);
  const thrown: unknown[] = [];
  const piped: string[] = [];
  const server = createServer((req, res) => {
    if (by === "sirv") {
      res.on("pipe", (source) => {
        piped.push("pipe");
        source.on("error", ({ code }: NodeJS.ErrnoException) => {
          piped.push(String(code));
          res.destroy();
        });
      });
    }
    try {
      // As an answer has it: the guard drops what sirv says of the file.
      if (by === "guard") {
        res.setHeader("Content-Length", FILE.length);
        documents.send(req, res, "a.json").catch((error: unknown) => {
          thrown.push(error);
          res.removeHeader("Content-Length");
          res.writeHead(502, { "Content-Length": 0 }).end();
        });
      } else plain(req, res, () => void res.writeHead(404, { "Content-Length": 0 }).end());
    } catch (error) {
      thrown.push(error);
      res.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const wire = await Wire.open({ host: "127.0.0.1", port });
  onTestFinished(() => {
    wire.end();
    server.close();
  });
  return { folder, wire, thrown, piped };
}

describe(`R20: sirv ${version}, and the behaviour that we rely on`, () => {
  it("is the pinned version, whose source was read and probed", () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { dependencies: Record<string, string> };
    expect([version, dependencies.sirv]).toEqual(["3.0.2", "3.0.2"]);
  });

  it("reads its folder once, at its start, and never sees later files", async () => {
    const { folder, wire } = await served("sirv");
    await writeFile(join(folder, "b.json"), "{}");
    expect((await wire.get("/b.json")).status).toBe(404);
    expect((await wire.get("/a.json")).body.toString()).toBe(FILE);
  });

  it("pipes the file into the response before the file is open, and does not handle its error", async () => {
    const { folder, wire, piped } = await served("sirv");
    await rm(join(folder, "a.json"));
    await expect(wire.get("/a.json")).rejects.toThrow();
    expect(piped).toEqual(["pipe", "ENOENT"]);
  });

  it("gives no ETag, but the file's time", async () => {
    const { wire } = await served("sirv");
    const reply = await wire.get("/a.json");
    expect(headerOf(reply, "etag")).toBeNull();
    expect(headerOf(reply, "last-modified")).not.toBeNull();
  });

  it("throws at bytes=5-2 and at ends beyond all numbers: unguarded, the process dies", async () => {
    for (const range of ["bytes=5-2", "bytes=3-1e400"]) {
      const { wire, thrown } = await served("sirv");
      await expect(wire.get("/a.json", `Range: ${range}\r\n`)).rejects.toThrow();
      expect(thrown).toMatchObject([{ code: "ERR_OUT_OF_RANGE" }]);
    }
  });

  it("sends the whole file, without its time, for each of these if it is guarded", async () => {
    const { wire, thrown } = await served("guard");
    for (const range of ["bytes=5-2", "bytes=3-1e400", "bytes=-3", "bytes=0-0"]) {
      const reply = await wire.get("/whatever", `Range: ${range}\r\n`);
      expect([reply.status, reply.body.toString()]).toEqual([200, FILE]);
      expect(reply.head).not.toMatch(/^(last-modified|content-range|accept-ranges)/im);
    }
    expect(thrown).toEqual([]);
  });

  it("reports a missing file before anything is sent if it is guarded, and the connection stays open", async () => {
    const { folder, wire, thrown } = await served("guard");
    await rename(join(folder, "a.json"), join(folder, "away.json"));
    expect((await wire.get("/whatever")).status).toBe(502);
    expect(thrown).toMatchObject([{ code: "ENOENT" }]);
    await rename(join(folder, "away.json"), join(folder, "a.json"));
    expect((await wire.get("/whatever")).body.toString()).toBe(FILE);
  });
});
