import type { Extra } from "../../extra.js";

/** Turns tables into records of a published directory: `crawldex import`. */
export const importing: Extra = {
  name: "import",
  commands: async () => (await import("./command.js")).commands,
  exits: { TableRefusedError: "badInput", ImportUsageError: "usage" },
};
