import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keygen, parseSigningKey } from "../../../src/extras/signing/sign.js";
import { parsePublicKey } from "../../../src/extras/signing/verify.js";

/** A new key pair in files of a folder. */
export async function aKeyPair(folder: string, name = "key") {
  const files = await keygen(join(folder, name));
  const secretText = await readFile(files.secretKeyFile, "utf8");
  return {
    ...files,
    secretText,
    signingKey: parseSigningKey(secretText),
    parsedKey: parsePublicKey(files.publicKey),
  };
}

/** Whether a tool is installed. Says so if it is not, since the tests that need it are skipped then. */
export function hasTool(name: string): boolean {
  const folders = (process.env.PATH ?? "").split(":");
  const isThere = folders.some((folder) => existsSync(join(folder, name)));
  if (!isThere) process.stderr.write(`skipped: ${name} is not installed, it verifies nothing\n`);
  return isThere;
}

/** Runs a tool. @returns what it prints on both outputs @throws if it fails */
export function run(tool: string, args: readonly string[], input = ""): string {
  return execFileSync(tool, args, { input, stdio: ["pipe", "pipe", "pipe"] }).toString();
}

/** Whether a tool ends with 0. */
export function succeeds(tool: string, args: readonly string[]): boolean {
  try {
    run(tool, args);
    return true;
  } catch {
    return false;
  }
}
