import { describe, expect, it } from "vitest";
import * as surface from "../src/index.js";

describe("the package's public surface", () => {
  it("has these names and no others", () => {
    expect(Object.keys(surface).sort()).toEqual([
      "BadPublishedError",
      "BadSnapshotError",
      "NoSnapshotError",
      "PUBLISHED_RECORDS",
      "PublishedFolderError",
      "SampleRefusedError",
      "SiteRefusedError",
      "StoreLockedError",
      "StoreWriteError",
      "TooManyRemovedError",
      "build",
      "diff",
      "explain",
      "exportSite",
      "initPublished",
      "publishedSchema",
      "rollback",
      "serve",
      "validate",
      "verify",
      "writeSample",
    ]);
  });

  it("has errors with different names, which can be told apart in a log", () => {
    expect(new surface.BadSnapshotError("x").name).toBe("BadSnapshotError");
    expect(new surface.NoSnapshotError("x").name).toBe("NoSnapshotError");
    expect(new surface.StoreLockedError("x").name).toBe("StoreLockedError");
    expect(new surface.PublishedFolderError("x").name).toBe("PublishedFolderError");
    expect(new surface.SiteRefusedError("x").name).toBe("SiteRefusedError");
    expect(new surface.StoreWriteError("x").name).toBe("StoreWriteError");
  });
});
