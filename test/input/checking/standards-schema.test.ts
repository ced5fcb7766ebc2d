import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../../../src/contract/routes.js";
import { Standards } from "../../../src/contract/standards.js";
import { completeStandards, StandardsRecord } from "../../../src/input/checking/schemas.js";
import { aPublishedDirectory, theStandards } from "../../fixtures.js";
import { builtStore } from "../../store/trees.js";

const LEAST = { id: "https", name: "HTTPS", kind: "achievement", maxPoints: 6 } as const;
const FULL = theStandards();
const least = (changes: object = {}): unknown => ({
  rubric: FULL.rubric,
  checks: [{ ...LEAST, ...changes }],
});
const completed = (record: unknown) => completeStandards(StandardsRecord.parse(record));

describe("a check of standards.json", () => {
  it("needs an id, a name, a kind and its points; the answer has all members of the contract", () => {
    const standards = completed(least());
    expect(Standards.parse(standards)).toEqual({
      rubric: FULL.rubric,
      badgeExamples: [],
      checks: [
        {
          ...LEAST,
          title: "HTTPS",
          version: 1,
          reviewedVersion: 1,
          reviewedOn: "",
          specificationStatus: "",
          overview: "",
          whyItMatters: "",
          whatWeCheck: "",
          results: "",
          limitations: "",
          sources: [],
          sourceNote: null,
          related: [],
          checkClass: "universal",
          lifecycle: "active",
          block: null,
          weight: 6,
        },
      ],
      aiCrawlers: [],
      crawlerCatalogue: [],
    });
    const { kind: _, ...without } = LEAST;
    expect(StandardsRecord.safeParse({ ...FULL, checks: [without] }).success).toBe(false);
    for (const [key] of Object.entries(LEAST)) {
      const broken = StandardsRecord.safeParse(least({ [key]: undefined }));
      expect([key, broken.success]).toEqual([key, false]);
    }
  });

  it("takes what is left out from the rest of the check", () => {
    const [check] = completed(least({ kind: "capability", version: 3, maxPoints: 0 })).checks;
    expect(check).toMatchObject({ reviewedVersion: 3, checkClass: "capability", weight: 0 });
  });

  it("that is complete is served with the same bytes", async () => {
    const { store, result } = await builtStore(aPublishedDirectory());
    const path = join(store, result.id, "public", ROUTES.standards.document ?? "");
    expect(await readFile(path, "utf8")).toBe(JSON.stringify({ data: FULL }));
  });
});
