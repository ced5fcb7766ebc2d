import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { repetitions } from "./repetitions.js";
import { need, type Ran, run, startingTime } from "./tools.js";

const GIB = 1024 ** 3;
/** What waits for a device or a pipe waits for ever; whoever is not done by now waits. */
const WATCHDOG_MS = 5_000;

/** Runs the command, and says how much memory it ever had, in MB. */
async function measured(
  args: readonly string[],
  folder: string,
): Promise<Ran & { megabytes: number }> {
  const peak = join(folder, "peak");
  const hook = `import { writeFileSync } from "node:fs"; process.on("exit", () =>
    writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS / 1024)));`;
  const ran = await run(args, { hook });
  return { ...ran, megabytes: Number(readFileSync(peak, "utf8")) };
}

describe("I1: files that are far too large", () => {
  it.each([1, 3])(
    "of %i GB are refused within half a second, in less than 150 MB",
    async (size) => {
      const folder = await temporaryFolder();
      const published = await writePublished(join(folder, "published"), aPublishedDirectory());
      for (const path of ["listings/large.json", "scans/large.json", "taxonomy.json"]) {
        writeFileSync(join(published, path), "");
        truncateSync(join(published, path), size * GIB);
      }
      const usual = await startingTime();
      const { code, output, milliseconds, megabytes } = await measured(
        ["validate", published],
        folder,
      );
      expect(code).toBe(3);
      expect(output.match(/found a record of \d+ bytes, expected at most 16777216/g)).toHaveLength(
        3,
      );
      expect(milliseconds - usual).toBeLessThan(500);
      expect(megabytes).toBeLessThan(150);
    },
  );
});

describe("I5: links and special files", () => {
  it(
    "such as pipes, sockets, devices and links out of the folder never block a build, and nothing " +
      "from them is published",
    async (context) => {
      const folder = await temporaryFolder();
      const canary = "canary-9d1f";
      const outside = join(folder, "outside");
      mkdirSync(outside);
      const secret = { ...aListing({ host: "canary.example", name: canary }) };
      writeFileSync(join(outside, "secret.json"), JSON.stringify(secret));
      const published = await writePublished(join(folder, "published"), aPublishedDirectory());
      const listings = join(published, "listings");
      symlinkSync(join(outside, "secret.json"), join(listings, "link.json"));
      symlinkSync(outside, join(listings, "folder"));
      symlinkSync("/dev/zero", join(listings, "zero.ndjson"));
      symlinkSync(".", join(listings, "loop"));
      symlinkSync("nowhere", join(listings, "dangling.json"));
      mkdirSync(join(listings, "folder.json"));
      const good = await run(["build", published, "--out", join(folder, "store")]);
      expect(good.code).toBe(0);
      expect(good.milliseconds).toBeLessThan(WATCHDOG_MS);
      for (const path of readdirSync(join(folder, "store"), {
        recursive: true,
        withFileTypes: true,
      })) {
        if (!path.isFile()) continue;
        expect(readFileSync(join(path.parentPath, path.name), "utf8")).not.toContain("canary");
      }

      execFileSync("mkfifo", [join(listings, "pipe.json"), join(listings, "pipe.ndjson")]);
      // A socket's path is at most 107 bytes.
      const short = mkdtempSync(join(tmpdir(), "s-"));
      context.onTestFinished(() => rmSync(short, { recursive: true }));
      const server = createServer().listen(join(short, "s"));
      context.onTestFinished(() => void server.close());
      await once(server, "listening");
      execFileSync("mv", [join(short, "s"), join(listings, "socket.json")]);
      const { code, output, milliseconds } = await run(["validate", published]);
      expect(code).toBe(3);
      expect(milliseconds).toBeLessThan(WATCHDOG_MS);
      for (const name of ["pipe.json", "pipe.ndjson", "socket.json"]) {
        expect(output).toContain(`listings/${name}:1:1  $  is not a regular file`);
      }
    },
  );

  it("are never read if they are devices", async (context) => {
    need(context, "root");
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    for (const [name, minor] of [
      ["zero.ndjson", "5"],
      ["null.json", "3"],
      ["random.ndjson", "8"],
    ] as const) {
      execFileSync("mknod", [join(published, "scans", name), "c", "1", minor]);
    }
    const { code, output, milliseconds } = await run(["validate", published]);
    expect(code).toBe(3);
    expect(output.match(/is not a regular file/g)).toHaveLength(3);
    expect(milliseconds).toBeLessThan(WATCHDOG_MS);
  });
});

describe("I10: 100,000 files", () => {
  it(
    "with one bad file or only bad files: every error is found, one line tells of all, memory stays " +
      "flat",
    async () => {
      const folder = await temporaryFolder();
      const count = repetitions("manyFiles");
      const published = await writePublished(join(folder, "published"), aPublishedDirectory());
      const write = (i: number, text: string) => {
        const inner = join(published, "listings", String(i % 256));
        if (i < 256) mkdirSync(inner, { recursive: true });
        writeFileSync(join(inner, `${i}.json`), text);
      };
      const listing = (i: number, status: unknown) =>
        JSON.stringify({ host: `site-${i}.test.example`, url: "https://x.example/", status });
      for (let i = 0; i < count; i += 1) write(i, listing(i, i === 77_777 % count ? 5 : "claimed"));
      const one = await measured(["validate", published], folder);
      expect(one.code).toBe(3);
      expect(one.output).toContain("1 error, ");
      expect(one.output).toContain(`/${77_777 % count}.json:1:`);
      for (let i = 0; i < count; i += 1) write(i, listing(i, 5));
      const all = await measured(["validate", published], folder);
      expect(all.code).toBe(3);
      const counted = count.toLocaleString("en");
      expect(all.output).toContain(`error: ${counted} x listings/**/*.json $.status: found 5`);
      expect(all.output).toContain(`${counted} errors, `);
      process.stderr.write(
        `I10: ${one.megabytes} MB and ${one.milliseconds} ms with one error, ${all.megabytes} MB and ` +
          `${all.milliseconds} ms with ${count}\n`,
      );
      expect(all.megabytes).toBeLessThan(1.6 * one.megabytes);
    },
  );
});
