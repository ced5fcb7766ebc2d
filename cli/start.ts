import "./extras.js";
import { failure } from "./command.js";
import { hasSnapshot, serveCommand } from "./serve.js";
import { outliveReaders, Terminal } from "./terminal.js";
import { publishSample } from "./try.js";

/** `npm start`: `crawldex serve`, but if the store has no snapshot yet, first publishes a sample into it. */
serveCommand.hook("preAction", async (self) => {
  const { store } = self.opts<{ store: string }>();
  if (hasSnapshot(store)) return;
  const terminal = new Terminal({});
  terminal.message(`no snapshot yet: building one from the sample directory into ${store}/`);
  await publishSample(store, terminal);
});
outliveReaders();
try {
  await serveCommand.parseAsync();
} catch (error) {
  process.exitCode = await failure(error, {});
}
