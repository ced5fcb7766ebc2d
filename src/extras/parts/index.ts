import type { Extra } from "../../extra.js";
import { optional } from "../../lib/options.js";
import { PART, SPLIT_FILE } from "./options.js";

declare module "../../publish/options.js" {
  interface ExtraBuildOptions {
    /**
     * Builds only the listings of one part of the hosts, such as "3/16", into a store of its own in `.parts`.
     * `joinParts` then publishes all parts. The published directory is the whole one, or the part's folder that
     * `splitPublished` has written. Nothing is signed then, and `keep`, `maxRemoved`, `maxUnscored`, `maxUnbanded` and
     * `purgeList` have no effect: give them to `joinParts`. Default: all listings are built.
     */
    readonly part?: string | undefined;
  }
}

const part = optional(PART, {
  flags: "--part <i/n>",
  help: "build only one part of the hosts, such as 3/16, to be joined later",
});

/** Builds a large directory on several machines: `crawldex split`, `build --part` and `build --join`. */
export const parts: Extra = {
  name: "parts",
  commands: async () => (await import("./command.js")).commands,
  changeCommands: async () => (await import("./command.js")).changes,
  exits: { PartsRefusedError: "refused", SplitRefusedError: "usage" },
  options: { build: { part: { ...part, after: "full" } } },
  changeBuild: async (settings) =>
    settings.part === undefined ? undefined : (await import("./part.js")).buildOfPart(settings),
  inputFiles: [SPLIT_FILE],
};
