import { describe, expect, it } from "vitest";
import { readQuery, SearchQuery, SuggestionsQuery } from "../../src/contract/query.js";

function issuesOf(
  query: string,
  schema: typeof SearchQuery | typeof SuggestionsQuery = SearchQuery,
) {
  const read = readQuery(schema, query);
  return read.ok ? [] : read.issues;
}

const REPEAT = "; to give several values, repeat the key: ";

describe("an issue tells what the client probably meant", () => {
  it.each([
    ["category=a,b", "category[0]", `${REPEAT}category=a&category=b`],
    ["tag=x&tag=open-data,%20maps,more", "tag[1]", `${REPEAT}tag=open-data&tag=maps`],
    ["band=Good,Bad", "band[0]", `${REPEAT}band=a&band=b`],
    ["category[]=a", "category[]", `${REPEAT}category=a&category=b`],
    ["platform%5B0%5D=a", "platform[0]", `${REPEAT}platform=a&platform=b`],
    ["min_score=5", "min_score", '; did you mean "minScore"?'],
    ["Category=a", "Category", '; did you mean "category"?'],
    ["MaxScore=5", "MaxScore", '; did you mean "maxScore"?'],
    ["q[]=a", "q[]", '; did you mean "q"?'],
  ])("%s", (query, path, hint) => {
    const issues = issuesOf(query);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.path).toBe(path);
    expect(issues[0]?.message.endsWith(hint)).toBe(true);
  });

  it.each(["category=A", "colour=red", "[]=a", "category=", `category=${"a,".repeat(150)}`])(
    "%s has no hint",
    (query) => {
      expect(issuesOf(query).map(({ message }) => message.includes("; "))).toEqual([false]);
    },
  );

  it("a parameter that another read has is not proposed", () => {
    const [issue] = issuesOf("q=ab&category[]=a", SuggestionsQuery);
    expect(issue).toEqual({ path: "category[]", message: "is not a parameter of this address" });
  });
});
