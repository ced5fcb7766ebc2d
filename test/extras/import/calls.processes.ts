import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chance, repetitions } from "../../crash/repetitions.js";
import { type Ran, run } from "../../crash/tools.js";
import {
  aListing,
  aPublishedDirectory,
  temporaryFolder,
  writeFiles,
  writePublished,
} from "../../fixtures.js";

/** What happens at the n-th call that changes the disk: the process dies, the call fails, or the disk is full. */
type Fault = "dies" | "fails" | "full";

/** Calls of Node that change the disk and need room for it. */
const GROWING =
  "mkdir mkdtemp rename link open write writev writeFile appendFile " +
  "copyFile cp fsync fdatasync sync datasync";
/** All of them. */
const CALLS = `${GROWING} unlink rm rmdir truncate ftruncate`;

/** A hook that counts the calls of Node that change the disk, and has the fault at one of them. */
function faultAt(call: number, fault: Fault): string {
  return `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const handle = Object.getPrototypeOf(await fs.promises.open(process.execPath));
    const isFree = (name, args) =>
      (name === "open" && !/[wax+]/.test(typeof args[1] === "string" ? args[1] : args[1] & 3 ? "w" : "r")) ||
      (typeof args[0] === "number" && args[0] <= 2);
    const counted = ${JSON.stringify((fault === "dies" ? CALLS : GROWING).split(" "))};
    let seen = 0;
    let isInside = false;
    function strikes(name, args) {
      if (isInside || isFree(name, args) || !counted.includes(name)) return false;
      seen += 1;
      if (seen < ${call}) return false;
      if (${JSON.stringify(fault)} === "dies") process.kill(process.pid, "SIGKILL");
      return seen === ${call} || (${JSON.stringify(fault)} === "full" && /^(?:write|append|mkd|copy|cp)/.test(name));
    }
    const error = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", errno: -28 });
    for (const target of [fs, fs.promises, handle]) {
      for (const name of ${JSON.stringify(CALLS.split(" "))}) {
        for (const key of [name, name + "Sync"]) {
          const real = target[key];
          if (typeof real !== "function") continue;
          target[key] = function (...args) {
            if (strikes(name, args)) {
              if (key !== name) throw error();
              if (typeof args.at(-1) === "function") return process.nextTick(args.at(-1), error());
              return Promise.reject(error());
            }
            // What a call does by other calls counts once.
            const isOuter = !isInside;
            isInside = key !== name || isInside;
            try {
              return Reflect.apply(real, this, args);
            } finally {
              if (isOuter) isInside = false;
            }
          };
        }
      }
    }
    syncBuiltinESMExports();
    process.on("exit", () => process.stderr.write("calls: " + seen + "\\n"));
  `;
}

/** A directory, and two tables that change four files of it; or a directory that is not there yet. */
async function aScenario(isNew: boolean) {
  const folder = await temporaryFolder();
  const hosts = Array.from({ length: 20 }, (_, i) => `site-${i}.example`);
  const known = hosts.slice(0, 3).map((host) => aListing({ host }));
  const files = aPublishedDirectory({ listings: known, scans: [] });
  if (!isNew) await writePublished(join(folder, "before"), files);
  const sites = hosts.map((host, i) => `${host},Name ${i},"tag ${i % 7}, tag x",cat ${i % 3}`);
  const scans = hosts.map((host, i) => `${host},s${i},2026-09-01,${i % 100}`);
  await writeFiles(folder, {
    "sites.csv": ["host,name,tags,category", ...sites].join("\n"),
    "scans.csv": ["host,id,finished_at,score", ...scans].join("\n"),
  });
  return folder;
}

/** Runs the import on a copy of the directory. */
async function imported(folder: string, hook?: string): Promise<Ran> {
  const published = join(folder, "published");
  rmSync(published, { recursive: true, force: true });
  if (existsSync(join(folder, "before")))
    cpSync(join(folder, "before"), published, { recursive: true });
  return importedAgain(folder, hook);
}

function importedAgain(folder: string, hook?: string): Promise<Ran> {
  return run(["import", "sites.csv", "scans.csv", "published", "--update"], {
    cwd: folder,
    ...(hook && { hook }),
  });
}

function filesOf(folder: string): Files {
  if (!existsSync(folder)) return { none: "" };
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  );
}

type Files = Record<string, string>;

/** A death leaves each file as it was or as it is to be, in a directory that validates; the next import goes on. */
async function expectWhole(folder: string, before: Files, after: Files): Promise<void> {
  const published = join(folder, "published");
  const left = filesOf(published);
  for (const [path, text] of Object.entries(left)) {
    if (path in after) expect([before[path], after[path]], path).toContain(text);
  }
  const validated = await run(["validate", "published"], { cwd: folder });
  if (!("none" in left)) expect(validated.code, validated.output).toBe(0);
  const { code, output } = await importedAgain(folder);
  expect(code, output).toBe(0);
  expect(filesOf(published)).toEqual(after);
  expect(readdirSync(folder).filter((name) => name.startsWith(".new-"))).toEqual([]);
}

describe.each([
  ["into a directory that is there", false],
  ["into a new directory", true],
])("an import %s", (_, isNew) => {
  it.each(["dies", "fails", "full"] as const)(
    "leaves a whole directory, whichever call is where it or the disk is at its end (%s)",
    { timeout: 600_000 },
    async (fault) => {
      const folder = await aScenario(isNew);
      const whole = await imported(folder, faultAt(Number.POSITIVE_INFINITY, fault));
      expect(whole.code, whole.output).toBe(0);
      const before = filesOf(join(folder, "before"));
      const after = filesOf(join(folder, "published"));
      const count = Number(/calls: (\d+)/.exec(whole.output)?.[1]);
      expect(count).toBeGreaterThan(4);
      const stride = Math.min(repetitions("strideOfCalls"), Math.ceil(count / 4));
      for (let call = 1 + Math.floor(chance(fault)() * stride); call <= count; call += stride) {
        const { code, output } = await imported(folder, faultAt(call, fault));
        expect(code, output).toBe(fault === "dies" ? null : code === 0 ? 0 : 1);
        if (code === null) await expectWhole(folder, before, after);
        else
          expect(filesOf(join(folder, "published")), output).toEqual(code === 0 ? after : before);
        if (code === 1) expect(output).toContain("ENOSPC");
      }
    },
  );
});
