import { type ZodType, z } from "zod";
import { ok } from "../../../cli/json-parts.js";

const Keygen = z.strictObject({
  ok,
  publicKey: z.string().describe("The public key's base64 line."),
  publicKeyFile: z.string(),
  secretKeyFile: z.string(),
});

/** What `crawldex keygen --json` prints. */
export const results: readonly ZodType[] = [Keygen];
