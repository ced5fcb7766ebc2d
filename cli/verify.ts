import { withExtraOptions } from "../src/lib/options.js";
import { SIGNATURE_NAME } from "../src/store/layout.js";
import type { BadFile, VerifyOptions } from "../src/upkeep/verify.js";
import { CrawldexCommand, EXIT } from "./command.js";
import { optionsIn, takesExtras, takesStore } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

/** How many hosts the line of a bad file names; --json lists all of them. */
const HOSTS_SHOWN = 3;

interface VerifyFlags extends OutputOptions, VerifyOptions {
  readonly store: string;
}

const START = takesStore(
  new CrawldexCommand(
    "verify",
    "Re-read the current snapshot and check every checksum and the shape of every answer.",
    {
      examples: ["crawldex verify snapshots", "crawldex verify --public-key crawldex.pub"],
      page: "operations.md",
      notes: `Without --public-key it finds damage, not tampering: checksums reveal accidental
changes, but anyone who can write to the store can also change the checksums.`,
    },
  ),
  "argument",
);

export const verifyCommand = takesExtras(START).action(
  async (_store: unknown, flags: VerifyFlags) => {
    const { store } = flags;
    const terminal = new Terminal(flags);
    const { VERIFY, verify } = await import("../src/upkeep/verify.js");
    const { id, files, answers, generation, bad } = await verify(store, {
      ...optionsIn(withExtraOptions("verify", VERIFY), flags),
      onProgress: terminal.progress(),
    });
    const ok = bad.length === 0;
    // A build repairs damaged files. The line about a bad signature itself says what to do.
    const isDamaged = bad.some(({ file }) => !file.endsWith(SIGNATURE_NAME));
    const remedy = isDamaged
      ? `; crawldex build <published> --store ${store} --full repairs the store`
      : "";
    const error = ok
      ? undefined
      : `${bad.length} of ${files} files in ${store} ${bad.length === 1 ? "is" : "are"} bad${remedy}`;
    for (const file of bad) terminal.message(badFileLine(file), "error");
    if (error !== undefined) {
      terminal.message(error, "error");
      process.exitCode = EXIT.badSnapshot;
    }
    const signed = generation === undefined ? "" : `, signed as generation ${generation}`;
    const lines = ok ? [`snapshot ${id} is good: ${files} files, ${answers} answers${signed}`] : [];
    terminal.result({ ok, error, id, files, answers, generation, bad }, lines);
  },
);

function badFileLine({ problem, hosts }: BadFile): string {
  if (hosts.length === 0) return problem;
  const shown = hosts.slice(0, HOSTS_SHOWN).join(", ");
  const rest = hosts.length - HOSTS_SHOWN;
  return `${problem} (${shown}${rest > 0 ? ` and ${rest} more hosts` : ""})`;
}
