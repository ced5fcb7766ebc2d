import { describe, expect, it } from "vitest";
import * as surface from "../src/index.js";

describe("the library's errors", () => {
  it("have names of their own, so that a log tells them apart", () => {
    expect(new surface.BadSnapshotError("x").name).toBe("BadSnapshotError");
    expect(new surface.NoSnapshotError("x").name).toBe("NoSnapshotError");
    expect(new surface.StoreLockedError("x").name).toBe("StoreLockedError");
    expect(new surface.PublishedFolderError("x").name).toBe("PublishedFolderError");
    expect(new surface.SiteRefusedError("x").name).toBe("SiteRefusedError");
    expect(new surface.SignatureError("x").name).toBe("SignatureError");
    expect(new surface.StoreWriteError("x").name).toBe("StoreWriteError");
  });
});
