import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { keyFilesOf, signerOf } from "../../../src/extras/signing/sign.js";
import { publishedOrigin } from "../../fetch/generations.js";
import { temporaryFolder } from "../../fixtures.js";
import { healthAt, publishTo, startWorker, untilGeneration } from "../../stores/recipe.js";

it("the worker of the Cloudflare recipe refuses what its public key has not signed", async (context) => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { publicKey, secretText } = keyFilesOf(privateKey, new Uint8Array(8).fill(7));
  const origin = await publishedOrigin(await temporaryFolder(), 2, signerOf(secretText));
  const other = `RWQ${publicKey.slice(3, -6)}AAAAAA`;
  const [trusting, refusing] = await Promise.all(
    [publicKey, other].map((key) => startWorker(context, { PUBLIC_KEYS: ` ${key}\n` })),
  );
  for (const worker of [trusting, refusing]) if (worker) await publishTo(worker, origin, 1);
  expect(await untilGeneration(trusting!, 1)).toEqual(healthAt(origin, 1));
  const refused = await fetch(`${refusing!.url}/readyz`);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ ready: false, trouble: expect.any(String) });
});
