import type { Extra } from "../../extra.js";
import { SERVE_REMOTE } from "./options.js";

/** Stores in buckets and on web servers: `crawldex push`, `crawldex pull`, and `crawldex serve` of an address. */
export const remote: Extra = {
  name: "remote",
  commands: async () => (await import("./command.js")).commands,
  changeCommands: async () => (await import("./command.js")).changes,
  exits: {
    RemoteBusyError: "locked",
    RemoteRefusedError: "refused",
    RemoteSnapshotError: "badSnapshot",
  },
  options: { serve: SERVE_REMOTE },
  openStore: async (...asked) => (await import("./open-store.js")).openStore(...asked),
};
