import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveProcess } from "../cli/served.js";
import { ROOT } from "../house/sources.js";
import { type Block, databaseFiles, PAGES, type Page } from "./pages.js";

/** The server that the pages' samples read. */
const SAMPLE_URL = "http://127.0.0.1:3000";
/** Milliseconds after which a command, or a page with all of its commands, counts as hanging. */
const HANG_MS = { command: 60_000, page: 240_000 };
/** Stands for a text of any length. */
const ANYTHING = "…";

/** What a page's samples find in their folder, beside the sample directory and its store. */
const PREPARED: Record<string, (folder: string) => void> = {
  "docs/agents.md": (folder) => {
    const scope = "node_modules/@modelcontextprotocol";
    symlinkSync(join(ROOT, scope), join(folder, scope));
  },
  "docs/from-a-database.md": (folder) => {
    for (const name of ["published", "snapshots"]) {
      rmSync(join(folder, name), { recursive: true });
    }
    for (const [name, text] of databaseFiles()) writeFileSync(join(folder, name), text);
  },
  "docs/publishing.md": (folder) => {
    rmSync(join(folder, "published"), { recursive: true });
    const page = PAGES.find(({ path }) => path === "docs/publishing.md");
    const blocksIn = (language: string) =>
      page?.blocks.filter((block) => block.language === language) ?? [];
    mkdirSync(join(folder, "sites"));
    for (const [language, names] of [
      ["csv", ["sites.csv", "scans.csv", "terms.csv", "plans.csv"]],
      ["yaml", ["sites/oats.yaml", "sites/rye.yaml"]],
    ] as const) {
      for (const [i, name] of names.entries()) {
        writeFileSync(join(folder, name), blocksIn(language)[i]?.text ?? "");
      }
    }
    mkdirSync(join(folder, "node_modules/.bin"));
    symlinkSync(join(ROOT, "node_modules/yaml/bin.mjs"), join(folder, "node_modules/.bin/yaml"));
  },
  "docs/scanners.md": (folder) => {
    for (const name of ["published", "snapshots"]) {
      rmSync(join(folder, name), { recursive: true });
    }
    const samples = join(ROOT, "test/extras/import");
    const run = readFileSync(join(samples, "lighthouse.json"), "utf8");
    writeFileSync(join(folder, "run-1.json"), run);
    writeFileSync(join(folder, "run-2.json"), run.replaceAll("peas.example", "beans.example"));
    const later = run
      .replaceAll("peas.example", "beans.example")
      .replace("2026-06-14", "2026-06-21");
    writeFileSync(join(folder, "run-3.json"), later);
    cpSync(join(samples, "afdocs.json"), join(folder, "afdocs.json"));
    const page = PAGES.find(({ path }) => path === "docs/scanners.md");
    const documents = page?.blocks.filter(({ language }) => language === "json") ?? [];
    for (const [i, name] of ["mapping.json", "garden.json"].entries()) {
      writeFileSync(join(folder, name), documents[i]?.text ?? "");
    }
  },
  "docs/validating.md": (folder) => {
    const file = join(folder, "published/listings/part-0000.ndjson");
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = (lines[2] ?? "").replace('"https:', '"htps:').replace('"category"', '"catgory"');
    writeFileSync(file, lines.join("\n"));
  },
};

const run = promisify(execFile);
let home: string;
let address: string;
let stopServer: () => Promise<void>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "crawldex-docs-"));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const command = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "dist/cli/index.js")}" "$@"\n`;
  writeFileSync(join(bin, "crawldex"), command);
  chmodSync(join(bin, "crawldex"), 0o755);
  const sample = join(home, "sample");
  mkdirSync(join(sample, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(sample, "node_modules/crawldex"));
  await shell(sample, "crawldex sample published && crawldex build published");
  const server = spawn(join(bin, "crawldex"), ["serve", "--port", "0", "--json"], { cwd: sample });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  address = (JSON.parse(line.toString()) as { url: string }).url;
  stopServer = async () => {
    server.kill();
    await once(server, "exit");
  };
});

afterAll(async () => {
  await stopServer();
  rmSync(home, { recursive: true });
});

describe("each sample of the documentation", () => {
  // The library's page is run with the packed tarball (test/install).
  const pages = PAGES.filter(
    ({ path, blocks }) => path !== "docs/library.md" && blocks.some(isRun),
  );
  expect(pages.length).toBeGreaterThan(3);

  // The examples of the command line's page come from the commands' help; their options are checked elsewhere.
  const written = PAGES.filter(({ path }) => path !== "docs/command-line.md");
  const scripts = written.flatMap(({ path, blocks }) =>
    blocks.filter(isScript).map((block) => ({ path, line: block.line, block })),
  );
  expect(scripts.length).toBeGreaterThan(3);

  it.each(scripts)("succeeds: $path, line $line", async ({ path, line, block }) => {
    const folder = join(home, `${path.replaceAll("/", "-")}-${line}`);
    const isNew = block.text.startsWith("crawldex init");
    if (isNew) mkdirSync(folder);
    else cpSync(join(home, "sample"), folder, { recursive: true, verbatimSymlinks: true });
    for (const command of block.text.split("\n").filter((each) => each !== "")) {
      const isServer = command.startsWith("crawldex serve");
      if (isServer) expect(await firstLine(folder, command)).toMatch(/serves .* at http:/);
      else await succeeds(folder, command);
    }
  });

  it("shows a line of the log as the server writes it", async () => {
    const page = PAGES.find(({ path }) => path === "docs/serving.md");
    const shown = page?.blocks.find(({ language }) => language === "json");
    const sample: Record<string, unknown> = JSON.parse(shown?.text ?? "");
    const args = ["--log", "json"];
    const { said, printed } = serveProcess(join(home, "sample/snapshots"), { args, isPlain: true });
    await expect.poll(said).toContain("http:");
    const [url = ""] = /http:\/\/[0-9.:]+/.exec(said()) ?? [];
    await fetch(`${url}${sample.target}`);
    await expect.poll(printed).toContain("\n");
    const logged: Record<string, unknown> = JSON.parse(printed());
    expect(Object.keys(logged)).toEqual(Object.keys(sample));
    for (const key of ["method", "target", "route", "status", "kept"]) {
      expect(logged[key], key).toBe(sample[key]);
    }
  });

  it("shows a badge at an address that the server answers", async () => {
    const page = PAGES.find(({ path }) => path === "docs/pages.md");
    const shown = page?.blocks.find(({ language }) => language === "html");
    const [, path = ""] =
      /src="https:\/\/directory\.example(\/[^"]*)"/.exec(shown?.text ?? "") ?? [];
    const badge = await fetch(`${address}${path.replace("example.org", "pecantea.example")}`);
    expect(badge.status).toBe(200);
    expect(badge.headers.get("content-type")).toContain("image/svg+xml");
  });

  it.each(pages)("prints what $path shows", { timeout: HANG_MS.page }, async (page) => {
    const folder = join(home, page.path.replaceAll("/", "-"));
    cpSync(join(home, "sample"), folder, { recursive: true, verbatimSymlinks: true });
    PREPARED[page.path]?.(folder);
    for (const block of page.blocks.filter(({ language }) => language === "console")) {
      for (const { command, output } of commandsOf(block)) {
        const place = `${page.path}:${block.line}: ${command}`;
        expect(await shell(folder, command), place).toMatch(patternOf(output));
      }
    }
    const programs = programsOf(page);
    const outputs = await runTogether(folder, programs);
    for (const [i, { block, output }] of programs.entries()) {
      expect(outputs[i], `${page.path}:${block.line}`).toMatch(patternOf(output));
    }
  });
});

function isRun({ language }: Block): boolean {
  return language === "console" || language === "js";
}

/** Whether a block has commands of crawldex alone, none of which writes outside the folder or needs one of its own. */
function isScript({ language, text }: Block): boolean {
  const lines = text.split("\n").filter((line) => line !== "");
  return language === "sh" && lines.every((line) => /^crawldex (?!.* \/(?:srv|etc)\/)/.test(line));
}

/** A block's commands, which begin with "$ ", each with the output that the page shows. */
function commandsOf({ text }: Block): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((sample) => {
      const [command = "", ...output] = sample.split("\n");
      return { command, output: output.join("\n") };
    });
}

/** A page's programs, each with the output that follows it, if the page shows one. */
function programsOf({ blocks }: Page): { block: Block; output: string }[] {
  return blocks.flatMap((block, i) => {
    const next = blocks[i + 1];
    const output = next?.language === "text" ? next.text : ANYTHING;
    return block.language === "js" ? [{ block, output }] : [];
  });
}

/** Runs programs as one module, since later ones use the names of earlier ones; returns what each of them prints. */
async function runTogether(
  folder: string,
  programs: readonly { block: Block }[],
): Promise<string[]> {
  if (programs.length === 0) return [];
  const end = "--- end of sample ---";
  const texts = programs.map(({ block }) => `${block.text}console.log("${end}");\n`);
  writeFileSync(join(folder, "samples.mjs"), here(texts.join("")));
  const output = await shell(folder, `"${process.execPath}" samples.mjs`);
  const outputs = output.split(`${end}\n`);
  // Of a program that fails, any output would match a sample that shows none.
  expect(outputs, output).toHaveLength(programs.length + 1);
  return outputs;
}

/** Runs a command. @throws if it fails */
async function succeeds(cwd: string, command: string): Promise<void> {
  await run("sh", ["-c", command], { cwd, env: environment() });
}

/** Starts a server on a free port, and ends it after the first line that it prints on stdout; returns that line. */
async function firstLine(cwd: string, command: string): Promise<string> {
  const [, ...args] = command.replace(/#.*/, "").trim().split(/\s+/);
  const program = [join(ROOT, "dist/cli/index.js"), ...args, "--port", "0"];
  const server = spawn(process.execPath, program, { cwd });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  server.kill();
  await once(server, "exit");
  return line.toString();
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(home, "bin")}:${process.env.PATH}` };
}

/** Runs a command with `crawldex` on its path, and returns all that it prints, with the address that pages name. */
async function shell(cwd: string, command: string): Promise<string> {
  const { stdout } = await run("sh", ["-c", `{ ${here(command)}\n} 2>&1 || true`], {
    cwd,
    env: environment(),
    timeout: HANG_MS.command,
    maxBuffer: 64 * 1024 * 1024,
  });
  // On a slow machine, commands also say how far they are.
  const lines = stdout.replace(/^[a-z ]+: \d+ ?%\n/gm, "");
  return lines.replaceAll(address ?? SAMPLE_URL, SAMPLE_URL);
}

function here(text: string): string {
  return text.replaceAll("curl ", "curl -s ").replaceAll(SAMPLE_URL, address ?? SAMPLE_URL);
}

function patternOf(output: string): RegExp {
  const parts = output
    .trim()
    .split(ANYTHING)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}\\s*$`);
}
