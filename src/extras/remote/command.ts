import type { Command } from "commander";
import { PUSH_ADDRESS, unusedProxy } from "./address.js";
import { PUSH, type PushOptions } from "./options.js";
import { CrawldexCommand, stopSignal } from "../../../cli/command.js";
import { optionsIn, requireUrl, signingKey, takesOptions, takesStore } from "../../../cli/options.js";
import { type OutputOptions, Terminal } from "../../../cli/terminal.js";

const START = takesStore(
  new CrawldexCommand(
    "push",
    "Copy the current snapshot to a bucket of an S3-compatible store, and make it the newest there.",
    {
      examples: [
        "crawldex push s3://bucket/prefix",
        "crawldex push s3://bucket/prefix --store snapshots --keep 5 --grace 2h",
      ],
      page: "push-and-pull.md",
      notes: `The credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN,
the region from AWS_REGION or AWS_DEFAULT_REGION, the address of a store that is not AWS from
AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL. The first variable that is set counts.`,
    },
  ),
);

export const pushCommand = takesOptions(START, PUSH)
  .argument("<url>", "the bucket, as s3://bucket/prefix")
  .action(async (url: string, options: OutputOptions & PushOptions, command: Command) => {
    requireUrl(command, url, PUSH_ADDRESS);
    const key = await signingKey(command);
    const terminal = new Terminal(options);
    warnOfUnusedProxy(terminal, url);
    const { push } = await import("./push.js");
    const result = await push(url, {
      ...optionsIn(PUSH, options),
      signingKey: key,
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, generation, files, uploaded, deleted, warnings } = result;
    for (const warning of warnings) terminal.message(`warning: ${warning}`, "warning");
    terminal.result({ ok: true, ...result }, [
      `${url} has snapshot ${id}, generation ${generation}`,
      `${uploaded} files uploaded, ${files - uploaded} were there, ${deleted} deleted`,
    ]);
  });

/** Warns if requests to an address pass by the proxy that the environment names. */
export function warnOfUnusedProxy(terminal: Terminal, address: string): void {
  const warning = unusedProxy(address);
  if (warning !== null) terminal.message(`warning: ${warning}`, "warning");
}
