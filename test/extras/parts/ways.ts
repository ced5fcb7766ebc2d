import { join } from "node:path";
import { joinParts } from "../../../src/extras/parts/join.js";
import { build } from "../../../src/publish/build.js";
import type { Way } from "../ways.js";

const PARTS = ["1/2", "2/2"] as const;

/** How a directory is published in parts. */
export const WAYS: Readonly<Record<string, Way>> = {
  parts: {
    async publish(published, options) {
      for (const part of PARTS) await build(published, { ...options, part });
      const { jobs: _jobs, segmentSize: _size, ...joining } = options;
      await joinParts(joining);
    },
    stores: (store) => PARTS.map((part) => join(store, ".parts", part.replace("/", "-of-"))),
  },
};
