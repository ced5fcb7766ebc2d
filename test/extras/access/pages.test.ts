import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../../pages/parsed.js";
import { expectError, send, sharedService } from "../../server/http.js";
import { policyOf, type Rule } from "./policies.js";

/* The pages are compared with sums over these rules, which no code of the product makes. */
const HOW: Readonly<Record<string, readonly [number: number, ...rules: Rule[]]>> = {
  lied: [3, ["Bot", "allowed"], ["Bot", "observed"]],
  kept: [4, ["Bot", "allowed"], ["Bot", "not-observed"]],
  shut: [1, ["Bot", "disallowed"], ["Bot", "observed"]],
  open: [2, ["Bot", "disallowed"], ["Bot", "not-observed"]],
  mute: [5, ["Other/1.0", "allowed"]],
  // More sites than a page names.
  many: [130, ["Crowd", "allowed"]],
};
const SITES = Object.entries(HOW).flatMap(([kind, [number, ...rules]]) =>
  Array.from({ length: number }, (_, at) => ({ host: `${kind}-${at}.com`, at, rules })),
);
const HOSTILE = "<b>&\"'";

const service = sharedService(
  aPublishedDirectory({
    listings: [
      ...SITES.map(({ host }) => aListing({ host, name: `${host} ${HOSTILE}` })),
      aListing({ host: "gone.com", visibility: "opted-out" }),
    ],
    scans: [
      ...SITES.map(({ host, at, rules }) =>
        aScan({ host, id: "s", score: at % 100, accessPolicy: policyOf(...rules) }),
      ),
      aScan({ host: "gone.com", id: "s", accessPolicy: policyOf(["Bot", "allowed"]) }),
    ],
  }),
);
const pageAt = async (target: string) => {
  const { status, text } = await send(service.server, target);
  expect([target, status]).toEqual([target, 200]);
  return parsedPage(text);
};
const rowsOf = async () => {
  const [, ...rows] = all(await pageAt("/access"), "tr");
  return new Map(
    rows.map((row) => {
      const [crawler] = all(row, "th");
      const cells = all(row, "td");
      const links = cells.map((cell) => all(cell, "a").at(0));
      return [
        textOf(all(crawler!, "a")[0]!).trim(),
        {
          about: textOf(crawler!).trim(),
          numbers: cells.map((cell) => textOf(cell).trim()),
          links: links.map((link) => (link === undefined ? null : attributeOf(link, "href"))),
        },
      ];
    }),
  );
};

it("counts for each crawler what sites declare, and what their servers do in spite of it", async () => {
  const rows = await rowsOf();
  expect(rows.get("Bot")?.numbers).toEqual(["7", "3", "3", "2"]);
  expect(rows.get("Bot")?.about).toContain("10 sites");
  expect(rows.get("Other/1.0")?.numbers).toEqual(["5", "—", "—", "—"]);
  expect(textOf(await pageAt("/access"))).toContain(
    "Of 10 sites whose report says something about Bot, 7 declare it allowed; 3 of these refuse its requests.",
  );
});

it("leads from each number to the sites behind it, best first", async () => {
  const [allowed, refused, disallowed, answered] = (await rowsOf()).get("Bot")?.links ?? [];
  for (const [link, kinds] of [
    [refused, ["lied"]],
    [answered, ["open"]],
    [allowed, ["lied", "kept"]],
    [disallowed, ["open", "shut"]],
  ] as const) {
    const { pathname, hash } = new URL(link ?? "", "https://a.example/");
    const page = await pageAt(pathname);
    const title = byId(page, hash.slice(1));
    const section = all(page, "section").find((one) => all(one, "h2").includes(title));
    // A number of both is that of a section; one of a section's lists comes after its title.
    const lists = all(section ?? page, "ul").filter(
      (one) => attributeOf(one, "class") === "treated",
    );
    const titles = all(section ?? page, "h3");
    const shown = section === undefined ? [lists[titles.indexOf(title)]!] : lists;
    const hosts = shown.map((list) =>
      all(list, "a").map((one) => attributeOf(one, "href")?.replace("../sites/", "")),
    );
    const expected = kinds.map((kind) =>
      Array.from({ length: HOW[kind]![0] }, (_, at) => `${kind}-${at}.com`).reverse(),
    );
    expect([link, hosts]).toEqual([link, expected]);
    expect(textOf(title)).toMatch(new RegExp(`: ${expected.flat().length}( sites?)?\\s*$`));
  }
});

it("names the best of many sites, and where the others are", async () => {
  const page = await pageAt("/access/crowd");
  const [list] = all(page, "ul").filter((one) => attributeOf(one, "class") === "treated");
  expect(all(list!, "li").length).toBe(100);
  const more = all(page, "a").find((one) => textOf(one) === "all of them as JSON");
  const target = new URL(attributeOf(more!, "href") ?? "", "https://a.example/access/");
  const { text } = await send(service.server, target.pathname + target.search);
  expect(JSON.parse(text).pagination.total).toBe(130);
});

it("has no page of a crawler about which no report says anything", async () => {
  for (const name of ["nobody", "bot-", "constructor"])
    expectError(await send(service.server, `/access/${name}`), 404);
});

it("is linked from the methodology", async () => {
  const links = all(await pageAt("/standards"), "a").map((one) => attributeOf(one, "href"));
  expect(links).toContain("access");
});
