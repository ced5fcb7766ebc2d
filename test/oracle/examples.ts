import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../fixtures.js";
import { expectAgreement } from "./disagreement.js";
import * as oracle from "./oracle.js";
import type { Records } from "./records.js";
import { publishedFiles } from "./tiny.js";

/*
 * Examples by hand of what the contract says. The oracle is asked at once; the service is asked the same requests at
 * the end of the file, and must agree.
 */

const asked = new Map<Records, Set<string>>();

/** What the oracle answers to a request to a tiny directory. */
export function answerOf(records: Records, target: string): oracle.OracleAnswer {
  const targets = asked.get(records) ?? new Set();
  asked.set(records, targets.add(target));
  return oracle.answerOf(records, target);
}

/** The last test of a file of examples. */
export function testTheService(): void {
  test("the service gives the same answers to every request of this file", async () => {
    expect(asked.size).toBeGreaterThan(0);
    for (const [records, targets] of asked) {
      const folder = await temporaryFolder();
      await writeFiles(folder, publishedFiles(records));
      await expectAgreement(folder, records, targets);
    }
    asked.clear();
  });
}
