import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST, NUMBERS, STORE } from "../src/options/defaults.js";
import { failure } from "./command.js";
import { serveUntilStopped } from "./serve.js";
import { outliveReaders, Terminal } from "./terminal.js";

/** `npm start [-- store]`: serves a store. If the store has no snapshot yet, first publishes a sample into it. */
const store = process.argv[2] ?? STORE;
outliveReaders();

try {
  const port = portOf(process.env.PORT ?? String(NUMBERS.port.usual));
  if (!existsSync(join(store, "current.json"))) await publishSample();
  await serveUntilStopped(store, { port, host: HOST });
} catch (error) {
  process.exitCode = await failure(error, {});
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^[0-9]+$/.test(text) && port <= 65_535) return port;
  throw new Error(`PORT must be a whole number from 0 to 65535, not ${text}`);
}

async function publishSample(): Promise<void> {
  const terminal = new Terminal({});
  terminal.message("no snapshot yet: building one from the sample directory");
  const { writeSample } = await import("../src/sample/sample.js");
  const { build } = await import("../src/build/build.js");
  const folder = await mkdtemp(join(tmpdir(), "crawldex-sample-"));
  try {
    await writeSample(folder);
    const { counts } = await build(folder, { store });
    terminal.message(`${counts.reports} reports published into ${store}/`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
