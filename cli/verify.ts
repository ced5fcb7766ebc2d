import { STORE } from "../src/options/defaults.js";
import type { BadFile } from "../src/upkeep/verify.js";
import { command, EXIT } from "./command.js";
import { bytes as inBytes } from "./drawing/amounts.js";
import { type OutputOptions, Terminal } from "./terminal.js";

/** How many hosts the line of a bad file names; --json lists all of them. */
const HOSTS_SHOWN = 3;

export const verifyCommand = command(
  "verify",
  "Re-read the current snapshot and check every checksum and the shape of every answer.",
  "crawldex verify snapshots",
)
  .argument("[store]", "the store's folder", STORE)
  .addHelpText(
    "after",
    `
It finds damage, not tampering: checksums reveal accidental changes, but anyone
who can write to the store can also change the checksums.`,
  )
  .action(async (store: string, options: OutputOptions) => {
    const terminal = new Terminal(options);
    const { verify } = await import("../src/upkeep/verify.js");
    const tell = terminal.progress();
    let bytes = 0;
    const { id, files, answers, otherColumns, bad } = await verify(store, {
      onProgress: (done, total, phase) => {
        bytes = done;
        tell(done, total, phase);
      },
    });
    const ok = bad.length === 0;
    for (const file of bad) terminal.message(badFileLine(file), "error");
    if (!ok) {
      terminal.message(`${bad.length} of ${files} files in ${store} are bad`, "error");
      process.exitCode = EXIT.badSnapshot;
    }
    if (otherColumns !== undefined) {
      const what = `the snapshot has columns of version ${otherColumns}, which this version of crawldex does not read`;
      terminal.message(
        `${what}: crawldex serve rebuilds the columns at each start, and the next build writes new ones`,
        "warning",
      );
    }
    const lines = ok ? [`snapshot ${id} is good: ${files} files, ${answers} answers`] : [];
    const summary = {
      title: "The snapshot is good.",
      rows: [
        { label: "snapshot", value: `${id}` },
        { label: "files", value: files },
        { label: "answers", value: answers },
        { label: "size", value: inBytes(bytes) },
      ],
    };
    terminal.result({ ok, id, files, answers, otherColumns, bad }, lines, ok ? summary : undefined);
  });

function badFileLine({ problem, hosts }: BadFile): string {
  if (hosts.length === 0) return problem;
  const shown = hosts.slice(0, HOSTS_SHOWN).join(", ");
  const rest = hosts.length - HOSTS_SHOWN;
  return `${problem} (${shown}${rest > 0 ? ` and ${rest} more hosts` : ""})`;
}
