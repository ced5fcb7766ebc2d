import "./extras.js";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "./command.js";
import { hasSnapshot, serveCommand } from "./serve.js";
import { outliveReaders, Terminal } from "./terminal.js";

/** `npm start`: `crawldex serve`, but if the store has no snapshot yet, first publishes a sample into it. */
serveCommand.hook("preAction", async (self) => {
  const { store } = self.opts<{ store: string }>();
  if (!hasSnapshot(store)) await publishSample(store);
});
outliveReaders();
try {
  await serveCommand.parseAsync();
} catch (error) {
  process.exitCode = await failure(error, {});
}

async function publishSample(store: string): Promise<void> {
  const terminal = new Terminal({});
  terminal.message("no snapshot yet: building one from the sample directory");
  const { writeSample } = await import("../src/sample/sample.js");
  const { build } = await import("../src/publish/build.js");
  const folder = await mkdtemp(join(tmpdir(), "crawldex-sample-"));
  try {
    await writeSample(folder);
    const { counts } = await build(folder, { store });
    terminal.message(`${counts.reports} reports published into ${store}/`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
