import { type ZodType, z } from "zod";
import { Generation, ok } from "../../../cli/json-parts.js";

const Keygen = z.strictObject({
  ok,
  publicKey: z.string().describe("The public key's base64 line."),
  publicKeyFile: z.string(),
  secretKeyFile: z.string(),
});

const Proven = z.strictObject({
  ok,
  directory: z.string().describe("The name of the directory, as its publisher has signed it."),
  baseUrl: z.string().describe("The base address of its API."),
  generation: Generation,
  content: z.string().describe("Identifies all that the publication serves."),
  address: z.string().describe("The answer's path and query."),
  sha256: z.string().describe("The sha256 of the answer's bytes, in hex."),
  isAnswerChecked: z.boolean().describe("Whether a file had this sha256, as --answer asks."),
});

/** What `crawldex verify --proof --json` prints. */
export const proofResults: readonly ZodType[] = [Proven];

/** What `crawldex keygen --json` prints. */
export const results: readonly ZodType[] = [Keygen];
