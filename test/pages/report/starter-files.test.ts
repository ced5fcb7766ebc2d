import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { all, attributeOf, byClass, byId, textOf } from "../parsed.js";
import { aFullReport, pageOf } from "../reports.js";

function sectionOf(starterFiles: Report["starterFiles"], isCut = false) {
  const report = aFullReport("x", { starterFiles });
  const left = isCut ? { starterFiles: { more: 0 } } : {};
  return byId(pageOf(report, left), "starter-files");
}

describe("the drafts of starter files", () => {
  it.each<[string, NonNullable<Report["starterFiles"]>]>([
    ["a list of files", { files: [{ path: "/llms.txt", mediaType: "text/plain", text: "# Hi" }] }],
    ["a list with other names", { files: [{ name: "/llms.txt", content: "# Hi" }] }],
    ["a file's name with its text", { "/llms.txt": "# Hi" }],
    ["a file's name with its content", { "/llms.txt": { content: "# Hi" } }],
  ])("are read from %s", (_, files) => {
    const section = sectionOf(files);
    expect(all(section, "h3").map(textOf)).toEqual(["/llms.txt"]);
    const [text] = all(section, "pre");
    expect([textOf(text!), attributeOf(text!, "data-file")]).toEqual(["# Hi", "llms.txt"]);
    expect(byClass(section, "free")).toEqual([]);
  });

  it("have usual names, their states, and their readiness in words", () => {
    const section = sectionOf({
      llmsTxt: "# Hi",
      "robots.txt": { state: "not-ready", text: "User-agent: *" },
      ready: false,
    });
    expect(all(section, "h3").map(textOf)).toEqual(["llms.txt", "robots.txt"]);
    expect(textOf(section)).toContain("These drafts are not finished yet.");
    expect(textOf(section)).toContain("Not ready");
  });

  it("leave everything else to the tree of keys and values", () => {
    const section = sectionOf({ files: [{ path: "/a.txt" }, 1], note: "See there", ready: "soon" });
    expect(all(section, "pre")).toEqual([]);
    expect(textOf(section)).toContain("Note See there");
    expect(textOf(section)).toContain("Path /a.txt");
    expect(textOf(section)).toContain("Ready soon");
  });

  it("can neither be copied nor saved if they are shortened", () => {
    const [text] = all(sectionOf({ "llms.txt": "# Hi" }, true), "pre");
    expect([attributeOf(text!, "data-copy"), attributeOf(text!, "data-file")]).toEqual([
      null,
      null,
    ]);
  });
});
