import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROUTES } from "../../src/contract/routes.js";
import { someOf } from "../slow.js";
import { manyListings } from "../store/trees.js";
import { aService, send } from "./http.js";
import { askAll } from "./wire.js";

const CANARY = "zyxcanary";
/** Ways to say "one folder up", and what old servers have taken for it. */
const UP = [...".. %2e%2e %252e%252e ..%2f ..%5c %c0%ae%c0%ae ....// ..; ..%00".split(" ")];
const DEPTHS = someOf([1, 2, 3, 4, 5, 6, 7, 8], 3);
const ENDPOINTS = [
  ...Object.values(ROUTES).map(({ path }) => path.replace("{host}", "site-1.example")),
  "/healthz",
  "/nowhere",
];

it(
  "no path leads out of the store's documents: thousands of targets answer 404, without a byte of " +
    "any other file",
  async () => {
    const service = await aService(manyListings(2));
    const { server, store } = service;
    const [former = ""] = (await readdir(store)).filter((name) => /^[0-9a-f]{32}$/.test(name));
    await service.publish(manyListings(3));
    await expect
      .poll(async () => (await send(server, "/readyz")).text, { timeout: 10_000 })
      .not.toContain(former);
    const canaries = [
      "../secret.json",
      ".git/config",
      ".env",
      ".new-1234/secret.json",
      `${former}/secret.json`,
      "secret.json",
    ];
    for (const path of canaries) {
      await mkdir(dirname(join(store, path)), { recursive: true });
      await writeFile(join(store, path), CANARY);
    }
    const targets = ENDPOINTS.flatMap((endpoint) =>
      canaries.flatMap((canary) => {
        const name = canary.replace("../", "");
        return DEPTHS.flatMap((depth) => [
          ...UP.map((up) => `${endpoint}/${`${up}/`.repeat(depth)}${name}`),
          `http://evil.example${endpoint}/${"../".repeat(depth)}${name}`,
        ]);
      }),
    );
    expect(targets.length).toBeGreaterThan(1_500);
    const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const replies = await askAll(server, requests);
    const open = targets.filter((_, i) => replies[i]!.status !== 404);
    expect(open).toEqual([]);
    expect(targets.filter((_, i) => replies[i]!.body.includes(CANARY))).toEqual([]);
  },
);
