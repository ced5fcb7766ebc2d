import { describe, expect, it } from "vitest";
import { CHANGES_LIMITS } from "../../../src/extras/changes/reads.js";
import { all, attributeOf, parsedPage, textOf } from "../../pages/parsed.js";
import { directoryOf, served } from "../../store/rows.js";
import { aStore } from "../../store/stores.js";

const NAME = '<b>Bold & "Co"</b>';

async function aRead() {
  const { store } = await aStore(
    directoryOf({
      fallen: [60, "++"],
      gone: [50, "++"],
      named: [50, "++", { name: NAME }],
      unscored: [null, "++"],
      zero: [0, "--"],
    }),
    directoryOf({
      fallen: [40, "++", {}, 2],
      named: [50, "++", { name: NAME }],
      unscored: [null, "++"],
      zero: [0, "--"],
    }),
  );
  return served(store);
}

const addressOf = (names: readonly string[]) =>
  `/watch?${names.map((name) => `host=${name}.example`).join("&")}`;

describe("the page of a watch list", () => {
  it("shows each site's score, band and scan; no score is not zero, and others are not listed", async () => {
    const read = await aRead();
    const { text, headers } = await read(
      addressOf(["zero", "unscored", "named", "gone", "nowhere"]),
    );
    const rows = all(parsedPage(text), "tr").slice(1).map(textOf);
    expect(rows).toEqual([
      "gone.example Not listed",
      `${NAME} named.example 50 — Open 1 August 2026`,
      "nowhere.example Not listed",
      "unscored.example No score — — 1 August 2026".replace("unscored", "Example unscored"),
      "zero.example 0 — Closed 1 August 2026".replace("zero", "Example zero"),
    ]);
    expect(headers["X-Robots-Tag"]).toBe("noindex");
    expect(text).toContain('<meta name="robots" content="noindex">');
  });

  it("says what changed, the newest first, names removed sites without a link, and leads to both feeds", async () => {
    const read = await aRead();
    const { text } = await read(addressOf(["gone", "fallen", "zero"]));
    const page = parsedPage(text);
    const list = all(page, "ul")
      .map(textOf)
      .find((one) => one.includes("removed"));
    expect(list).toMatch(/gone\.example removed\. Removed from the directory\./);
    expect(list).toMatch(/fallen\.example changed\. Score 60 before, 40 now\./);
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    expect(links).not.toContain("sites/gone.example");
    const query = "host=fallen.example&host=gone.example&host=zero.example";
    expect(links).toEqual(expect.arrayContaining([`watch.xml?${query}`, `watch.json?${query}`]));
    const alternates = all(page, "link").map((one) => attributeOf(one, "href"));
    expect(alternates).toContain(`watch.xml?${query}`);
    expect((await read(`/watch.xml?${query}`)).status).toBe(200);
  });

  it("shows the last change of each score, and the median of all on a badge that says what it means", async () => {
    const scores = [
      [30, 55, 90],
      [70, 70, 65],
      [10, 20, 20],
      [null, 5, 5],
      [20, 30, null],
      // Scores of two methodologies are not compared, and an older change is not the last one.
      [70, 75, 80],
    ] as const;
    const turns = [0, 1, 2].map((turn) =>
      directoryOf(
        Object.fromEntries(scores.map((one, at) => [`s${at}`, [one[turn]!, "++", {}, turn + 1]])),
      ),
    );
    for (const scan of turns.slice(0, 2).flatMap(({ scans }) => scans))
      if (scan.host === "s5.example") Object.assign(scan, { scoreVersion: "other" });
    const { store } = await aStore(...turns);
    const read = await served(store);
    const address = addressOf(["s0", "s1", "s2", "s3", "s4", "s5", "nowhere"]);
    const page = parsedPage((await read(address)).text);
    const moves = all(page, "tr").map((row) => all(row, "td").slice(1, 3).map(textOf).join(" "));
    expect(moves.slice(2)).toEqual([
      expect.stringMatching(/^90 ▲up 35 55 before, published \d+ \w+ \d{4}$/),
      expect.stringMatching(/^65 ▼down 5 70 before, published /),
      expect.stringMatching(/^20 ▲up 10 10 before, published /),
      expect.stringMatching(/^5 No score before, published /),
      expect.stringMatching(/^No score 30 before, published /),
      "80 —",
    ]);
    const { status, headers, text } = await read(address.replace("watch?", "watch.svg?"));
    expect([status, headers["Content-Type"]]).toEqual([200, "image/svg+xml"]);
    const meaning =
      "The median crawler-readiness score of the 5 sites of this list that have one: 65 of 100 (Open).";
    expect(text).toContain(`<title>${meaning}</title>`);
    expect(text).toContain(">median 65 of 5 sites<");
    expect(textOf(page)).toContain(`${meaning} At least half of them reach it.`);
    const [image] = all(page, "img");
    expect([attributeOf(image!, "alt"), attributeOf(image!, "width")]).toEqual([
      meaning,
      /width="(\d+)"/.exec(text)?.[1],
    ]);
    const { text: none } = await read("/watch.svg?host=nowhere.example");
    expect(none).toContain(">no score<");
    const { text: one } = await read("/watch.svg?host=s0.example");
    expect(one).toContain(">90 of 100<");
    const single = textOf(parsedPage((await read(addressOf(["s0", "s4"]))).text));
    expect(single).toContain("One site with a crawler-readiness score: 90 of 100 (Open).");
    expect(single).not.toContain("half of them");
  });

  it("leads to the reports of hosts that are not in search, and says as they do that they are redirected", async () => {
    const files = directoryOf({
      hidden: [50, "++", { visibility: "opted-out", name: NAME }],
      moved: [null, "++"],
    });
    for (const scan of files.scans) {
      if (scan.host !== "moved.example") continue;
      const redirect = { host: null, status: 301 };
      Object.assign(scan, { status: "moved", scoreVersion: null, redirect, checks: [] });
    }
    const { store } = await aStore(files);
    const read = await served(store);
    const page = parsedPage((await read(addressOf(["hidden", "moved", "nowhere"]))).text);
    expect(all(page, "tr").slice(1).map(textOf)).toEqual([
      expect.stringMatching(/ ?hidden\.example Not in search$/),
      "Example moved.example Redirected: no score",
      "nowhere.example Not listed",
    ]);
    const links = all(page, "table").flatMap((table) => all(table, "a"));
    const addresses = links.map((one) => attributeOf(one, "href"));
    expect(addresses).toEqual(["sites/hidden.example", "sites/moved.example"]);
    for (const address of addresses) expect((await read(`/${address}`)).status).toBe(200);
  });

  it("lists the latest changes only, and says how many there are", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `s${10 + at}`);
    const rows = (score: number, scan: number) =>
      directoryOf(Object.fromEntries(names.map((name) => [name, [score, "++", {}, scan]])));
    const { store } = await aStore(rows(40, 1), rows(50, 2));
    const page = parsedPage((await (await served(store))(addressOf(names))).text);
    expect(textOf(page)).toContain("The latest 20 of 25.");
    const items = all(page, "li").map(textOf);
    const listed = items.filter((one) => one.includes("Score 40 before, 50 now."));
    expect(listed).toHaveLength(20);
    expect([listed[0], listed.at(-1)]).toEqual([
      expect.stringContaining("s34.example"),
      expect.stringContaining("s15.example"),
    ]);
  });

  it("adds and drops hosts by a form without a script, and reads pasted lists", async () => {
    const read = await aRead();
    const { text } = await read(
      "/watch?host=zero.example&host=https://www.fallen.example/a,+gone.example",
    );
    const page = parsedPage(text);
    const form = all(page, "form").find((one) => attributeOf(one, "action") === "watch");
    expect(form && attributeOf(form, "method")).toBe("get");
    const fields = all(page, "input").filter((one) => attributeOf(one, "name") === "host");
    expect(fields.map((one) => [attributeOf(one, "form"), attributeOf(one, "value")])).toEqual([
      [null, null],
      ["watched", "fallen.example"],
      ["watched", "gone.example"],
      ["watched", "zero.example"],
    ]);
    expect(attributeOf(form!, "id")).toBe("watched");
    // A browser sends the box for another host even if it is empty.
    const { text: less } = await read("/watch?host=&host=zero.example");
    expect(all(parsedPage(less), "tr")).toHaveLength(2);
    const { text: same } = await read(
      "/watch?host=gone.example&host=fallen.example&host=zero.example&x=1",
    );
    expect(same).toBe(text);
  });

  it("names texts that cannot be hosts, and those beyond the most that a list has", async () => {
    const read = await aRead();
    const { status, text } = await read("/watch?host=<script>_&host=zero.example&host=");
    expect(status).toBe(200);
    expect(textOf(parsedPage(text))).toContain("Cannot be a host: “<script>_”.");
    expect(text).not.toContain("<script>_");
    const most = CHANGES_LIMITS.watchMax;
    const many = Array.from({ length: most + 2 }, (_, at) => `s${1_000 + at}.example`);
    const { text: full } = await read(`/watch?host=${many.join(",")}`);
    const page = parsedPage(full);
    expect(all(page, "tr")).toHaveLength(1 + most);
    expect(textOf(page)).toContain(`Not on it: “${many[most]}”, “${many[most + 1]}”.`);
    expect(textOf(page)).toContain(`The list is full: it has ${most} sites.`);
    expect(all(page, "input").filter((one) => attributeOf(one, "id") === "add")).toEqual([]);
    // The boxes are short, so that a long list stays small.
    expect(full.length).toBeLessThan(80_000);
  });

  it("is empty without hosts, still not for search engines, and in no sitemap", async () => {
    const read = await aRead();
    const { status, text, headers } = await read("/watch");
    expect([status, headers["X-Robots-Tag"]]).toEqual([200, "noindex"]);
    const page = parsedPage(text);
    expect(all(page, "table")).toEqual([]);
    expect(text).not.toContain("watch.xml");
    const maps = [...(await read("/sitemap.xml")).text.matchAll(/example(\/sitemaps\/[^<]*)</g)];
    expect(maps.length).toBeGreaterThan(0);
    for (const [, map = ""] of maps) expect((await read(map)).text).not.toContain("/watch");
  });
});
