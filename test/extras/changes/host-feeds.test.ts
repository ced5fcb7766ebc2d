import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import RssParser from "rss-parser";
import { describe, expect, it, vi } from "vitest";
import { exportSite } from "../../../src/export/export.js";
import { CHANGES_LIMITS } from "../../../src/extras/changes/reads.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { wholeHandler } from "../../fetch/whole.js";
import { temporaryFolder } from "../../fixtures.js";
import { pick, seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import { directoryOf, type Row, served } from "../../store/rows.js";
import { aStore } from "../../store/stores.js";
import { treeOf } from "../../store/trees.js";

const SEED = Number(process.env.SEED ?? 20_261_129);
const STEPS = repeated(2, 6);
const HIDDEN = { visibility: "opted-out" };
const HOSTILE = `</summary>]]><script>&amp; "x" \u0007\u202e`;

interface Item {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly content_text: string;
}

const itemsOf = (text: string): Item[] => JSON.parse(text).items;
const hostOf = ({ id }: Item) => /sites\/(.*)#/.exec(id)![1]!;
const siteFeed = (host: string, form = "json") => `/sites/${host}/feed.${form}`;
const watchFeed = (hosts: readonly string[], form = "json") =>
  `/watch.${form}?host=${hosts.join("&host=")}`;

/** A link to the feed of a site, or to a list with it. */
const FOLLOWS = /example\/feed\.|watch\?/;

/** A store in which a site was added, one changed twice, one was removed, one hidden, and two stayed. */
async function aStoreOfChanges() {
  const before = {
    changed: [40, "+-"],
    gone: [50, "++", { name: "Cormorant" }],
    hidden: [50, "++"],
    never: [50, "++", HIDDEN],
    same: [70, "++"],
    unscored: [null, "++"],
  } as const satisfies Record<string, Row>;
  const { gone: _, ...left } = before;
  const after = { ...left, changed: [60, "-+", { name: HOSTILE }, 2], added: [10, "++"] } as const;
  const hidden = { ...after, hidden: [50, "++", HIDDEN] } as const;
  const last = { ...hidden, changed: [65, "-+", { name: HOSTILE }, 3] } as const;
  const made = await aStore(...[before, hidden, last].map((rows) => directoryOf(rows)));
  return { ...made, read: await served(made.store) };
}

describe("the feed of a site", () => {
  it("says when it was added or removed and what changed, the newest first; others have none", async () => {
    const { read } = await aStoreOfChanges();
    const told = async (name: string) => {
      const { status, text } = await read(siteFeed(`${name}.example`));
      if (status !== 200) return status;
      return itemsOf(text).map(({ title, content_text }) => [
        title,
        content_text.split("\n").slice(-3),
      ]);
    };
    const checks = [
      "Score 40 before, 60 now.",
      "Passes 1 more check: Sitemap.",
      "No longer passes 1 check: HTTPS.",
    ];
    expect(await told("changed")).toEqual([
      [
        "changed.example: changed, 65 of 100, Open",
        expect.arrayContaining(["Score 60 before, 65 now."]),
      ],
      ["changed.example: changed, 65 of 100, Open", checks],
    ]);
    expect(await told("added")).toEqual([
      ["added.example: added, 10 of 100, Closed", ["Example", "New in the directory."]],
    ]);
    for (const name of ["gone", "hidden"])
      expect(await told(name)).toEqual([
        [`${name}.example: removed`, ["Removed from the directory."]],
      ]);
    for (const name of ["same", "unscored"]) expect([name, await told(name)]).toEqual([name, []]);
    for (const name of ["never", "nowhere"]) expect([name, await told(name)]).toEqual([name, 404]);
    const { status, text } = await read("/sites/www.Same.example/feed.xml");
    expect([status, JSON.parse(text).issues[0].message]).toEqual([
      400,
      expect.stringContaining('did you mean "same.example"?'),
    ]);
  });

  it("has no link to a removed site, and names it for 30 days only", async () => {
    const { read } = await aStoreOfChanges();
    const [item] = itemsOf((await read(siteFeed("gone.example"))).text);
    expect(item?.url).toBe("https://directory.example/");
    const { text } = await read(siteFeed("gone.example"));
    expect(JSON.parse(text).home_page_url).toBe("https://directory.example/");
    expect(JSON.stringify(item)).not.toContain("Cormorant");
    const list = watchFeed(["gone.example", "changed.example"]);
    expect(itemsOf((await read(list)).text).map(hostOf)).toContain("gone.example");
    const day = 86_400_000;
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 31 * day);
    const hosts = itemsOf((await read(list)).text).map(hostOf);
    const { status } = await read(siteFeed("gone.example"));
    vi.restoreAllMocks();
    expect([hosts, status]).toEqual([["changed.example", "changed.example"], 404]);
  });

  it("says that a score was lost or found, and compares none of another methodology", async () => {
    const [first, second, third] = [1, 2, 3].map((scan) => {
      const scores = { lost: [40, null, null], found: [null, 0, 0], other: [40, 40, 60] } as const;
      const rows = Object.entries(scores).map(([name, all]) => {
        const score = all[scan - 1]!;
        return [name, [score, scan === 1 ? "++" : "+-", {}, scan]] as const;
      });
      return directoryOf(Object.fromEntries(rows));
    });
    for (const scan of third!.scans) {
      if (scan.host === "other.example") Object.assign(scan, { scoreVersion: "other" });
    }
    const { store } = await aStore(first!, second!, third!);
    const read = await served(store);
    const told = async (name: string) =>
      itemsOf((await read(siteFeed(`${name}.example`))).text).map(({ title, content_text }) => [
        title,
        content_text.match(/Score.*/g) ?? [],
      ]);
    expect(await told("lost")).toEqual([
      ["lost.example: changed, not scored", ["Score 40 before, none now."]],
    ]);
    expect(await told("found")).toEqual([
      ["found.example: changed, 0 of 100, Closed", ["Score 0 now, none before."]],
    ]);
    const [latest] = await told("other");
    expect(latest).toEqual([expect.stringMatching(/^other\.example: changed, 60/), []]);
  });

  it("is linked from the site's report, but not from an older report or one that is not in search", async () => {
    const { read } = await aStoreOfChanges();
    const { text } = await read("/sites/changed.example");
    for (const [form, type] of [
      ["xml", "atom+xml"],
      ["json", "feed+json"],
    ])
      expect(text).toContain(
        `<link rel="alternate" type="application/${type}" href="changed.example/feed.${form}"`,
      );
    expect(text).toContain('<a href="changed.example/feed.xml">Follow this site</a>');
    expect(text).toContain('<a href="../watch?host=changed.example">add it to a list</a>');
    expect((await read("/sites/hidden.example")).text).not.toMatch(FOLLOWS);
    const withHistory = directoryOf({ a: [2, "++", { entitlements: { history: true } }, 2] });
    const older = directoryOf({ a: [1, "++"] }).scans;
    const { store } = await aStore({ ...withHistory, scans: [...withHistory.scans, ...older] });
    const scansOf = await served(store);
    expect((await scansOf("/sites/a.example")).text).toMatch(FOLLOWS);
    const { status, text: past } = await scansOf("/sites/a.example?scan=1");
    expect([status, past.match(FOLLOWS)]).toEqual([200, null]);
  });

  it("is off with all other feeds and links to them, if the publisher switches the extensions off", async () => {
    const off = { extensions: false };
    const { store } = await aStore(
      directoryOf({ a: [1, "++"] }, off),
      directoryOf({ a: [2, "++", {}, 2] }, off),
    );
    const read = await served(store);
    for (const form of ["xml", "json"])
      for (const feed of [siteFeed("a.example", form), watchFeed(["a.example"], form)])
        expect([feed, (await read(feed)).status]).toEqual([feed, 404]);
    for (const page of ["/sites/a.example", "/watch?host=a.example"]) {
      const { status, text } = await read(page);
      expect([page, status]).toEqual([page, 200]);
      expect([page, text.match(/(?:example\/feed|watch|search-feed)\.(?:xml|json)/)]).toEqual([
        page,
        null,
      ]);
    }
    expect((await read("/sites/a.example")).text).not.toContain("watch");
  });

  it("is read by other programs, whatever the site is called", async () => {
    const { read } = await aStoreOfChanges();
    for (const feed of [
      siteFeed("changed.example"),
      watchFeed(["changed.example", "gone.example"]),
    ]) {
      const json = (await read(feed)).text;
      const { headers, text: atom } = await read(feed.replace(".json", ".xml"));
      expect(headers["Content-Type"]).toBe("application/atom+xml; charset=utf-8");
      const expected = itemsOf(json).map(({ id, title, url }) => ({ id, title, url }));
      expect(expected.length).toBeGreaterThan(1);
      const entries = parseAtomFeed(atom).entries ?? [];
      expect(
        entries.map(({ id, title, links }) => ({ id, title: title?.value, url: links?.[0]?.href })),
      ).toEqual(expected);
      const asJson = parseJsonFeed(json).items ?? [];
      expect(asJson.map(({ id, title, url }) => ({ id, title, url }))).toEqual(expected);
      const { items } = await new RssParser().parseString(atom);
      expect(items.map(({ id, title, link }) => ({ id, title, url: link }))).toEqual(expected);
      const texts = itemsOf(json).map(({ content_text }) => content_text);
      expect(entries.map(({ summary }) => summary?.value)).toEqual(texts);
      expect(texts.join()).toContain("<script>");
      expect(atom).not.toMatch(/<script>|\p{Cc}(?<!\n)/u);
    }
  });
});

describe("the feed of a watch list", () => {
  it("has the items of its sites' feeds and no other, in whatever order and spelling they are given", async () => {
    const { read } = await aStoreOfChanges();
    const names = ["gone", "changed", "same", "never", "nowhere"].map((name) => `${name}.example`);
    const { text } = await read(watchFeed(names));
    const ids = itemsOf(text).map(({ id }) => id);
    const ofSites = await Promise.all(
      ["changed", "gone"].map(async (name) =>
        itemsOf((await read(siteFeed(`${name}.example`))).text),
      ),
    );
    expect([...ids].sort()).toEqual(
      ofSites
        .flat()
        .map(({ id }) => id)
        .sort(),
    );
    const others = [
      "https://www.gone.example/about",
      "NEVER.example",
      ...names.slice(1, 3),
      names[4]!,
    ];
    expect((await read(watchFeed(others.map(encodeURIComponent)))).text).toBe(text);
    expect(JSON.parse(text).home_page_url).toBe(
      `https://directory.example/watch?host=${[...names].sort().join("&host=")}`,
    );
  });

  it("names what is wrong with a list", async () => {
    const { read } = await aStoreOfChanges();
    const many = Array.from({ length: CHANGES_LIMITS.watchMax + 1 }, (_, n) => `s${n}.example`);
    for (const [query, status, path] of [
      ["", 400, "host"],
      ["?host=", 400, "host[0]"],
      ["?host=a.example&host=no+host", 400, "host[1]"],
      ["?host=a.example&host=www.A.example", 400, "host[1]"],
      [`?host=${many.join("&host=")}`, 400, "host"],
      [`?host=${many.slice(1).join("&host=")}&before=1`, 200, undefined],
      ["?host=a.example&before=x", 400, "before"],
      ["?hosts=a.example", 400, "hosts"],
    ] as const) {
      const answer = await read(`/watch.json${query}`);
      const [issue] = JSON.parse(answer.text).issues ?? [];
      expect([query, answer.status, issue?.path]).toEqual([query, status, path]);
    }
  });

  it("goes on in further pages, each with the next items and none twice", async () => {
    const rows = (score: number, scan: number) =>
      directoryOf(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [`s${n}`, [score, "++", {}, scan]]),
        ),
      );
    const { store } = await aStore(rows(1, 1), rows(2, 2), rows(3, 3));
    const read = await served(store);
    const hosts = Array.from({ length: 55 }, (_, n) => `s${n}.example`);
    const all: string[] = [];
    const sizes: number[] = [];
    for (let path: string | undefined = watchFeed(hosts); path !== undefined; ) {
      const json = JSON.parse((await read(path)).text);
      all.push(...json.items.map(({ id }: Item) => id));
      sizes.push(json.items.length);
      path = json.next_url?.replace("https://directory.example", "");
    }
    expect(sizes).toEqual([CHANGES_LIMITS.feedItems, 10]);
    expect(new Set(all).size).toBe(110);
  });
});

/** What the files of a tree and the answers of a server and of a fetch handler say of each host. */
async function expectAgreement(store: string, site: string, hosts: readonly string[]) {
  await exportSite(site, { store, for: "nginx", jobs: 1 });
  const read = await served(store);
  const handler = await wholeHandler({ store: folderStore(store) });
  const tree = await treeOf(site);
  const all = itemsOf((await read("/search-feed.json")).text);
  const searched: { host: string }[] = JSON.parse((await read("/api/sites?limit=100")).text).data;
  const { files } = JSON.parse((await read("/changes/index.json")).text);
  const changed = new Set<string>();
  for (const { file } of files) {
    const { data } = JSON.parse((await read(`/changes/${file}`)).text);
    for (const { host } of data) changed.add(host);
  }
  for (const host of hosts) {
    const isListed = searched.some((one) => one.host === host);
    for (const form of ["xml", "json"]) {
      const answer = await read(siteFeed(host, form));
      const atEdge = await handler(new Request(`https://edge.example${siteFeed(host, form)}`));
      expect([host, atEdge.status, await atEdge.text()]).toEqual([
        host,
        answer.status,
        answer.text,
      ]);
      // A tree has those of sites in search that have changed: a removed site leaves no file.
      const path = siteFeed(host, form).slice(1);
      expect([path, path in tree]).toEqual([path, isListed && changed.has(host)]);
      if (path in tree) expect(await readFile(join(site, path), "utf8")).toBe(answer.text);
    }
    const ids = (items: readonly Item[]) => items.map(({ id, content_text }) => [id, content_text]);
    const own = all.filter((item) => hostOf(item) === host);
    const { status, text } = await read(siteFeed(host));
    expect([host, status]).toEqual([host, isListed || own.length > 0 ? 200 : 404]);
    if (status === 200) expect(ids(itemsOf(text))).toEqual(ids(own));
  }
  const watched = (await read(watchFeed(hosts))).text;
  const atEdge = await handler(new Request(`https://edge.example${watchFeed(hosts)}`));
  expect(await atEdge.text()).toBe(watched);
  expect(itemsOf(watched).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
}

it("in a random history, a server, a fetch handler and a tree say the same of each site, and what the " +
  `feed of all changes says of it, SEED=${SEED}`, async () => {
  const random = seeded(SEED);
  const names = Array.from({ length: 8 }, (_, at) => `site-${at}`);
  const rowOf = (scan: number): Row => {
    const score = pick(random, [null, 20, 45, 60]);
    const listing = pick(random, [{}, {}, {}, HIDDEN, { name: HOSTILE }]);
    return [score, pick(random, ["++", "+-", "-+"]), listing, scan];
  };
  let rows = Object.fromEntries(names.map((name) => [name, rowOf(1)]));
  const { store, publish } = await aStore(directoryOf(rows));
  const site = await temporaryFolder();
  for (let scan = 2; scan < 2 + STEPS; scan += 1) {
    const kept = Object.entries(rows).filter(() => whole(random, 0, 5) > 0);
    const changed = names.filter(() => whole(random, 0, 2) === 0);
    rows = Object.fromEntries([...kept, ...changed.map((name) => [name, rowOf(scan)] as const)]);
    await publish(directoryOf(rows));
    await expectAgreement(
      store,
      join(site, "tree"),
      names.map((name) => `${name}.example`),
    );
  }
}, 60_000);

it("a packed tree has no feeds of sites", async () => {
  const { store } = await aStoreOfChanges();
  const site = join(await temporaryFolder(), "site");
  await exportSite(site, { store, packed: true });
  expect(Object.keys(await treeOf(site)).filter((path) => /^sites\/|^watch/.test(path))).toEqual(
    [],
  );
  await exportSite(`${site}-2`, { store });
  const names = Object.keys(await treeOf(`${site}-2`)).filter((path) =>
    /feed\.xml$|^watch/.test(path),
  );
  expect(names).toEqual(
    expect.arrayContaining(["sites/added.example/feed.xml", "sites/changed.example/feed.xml"]),
  );
  expect(names.filter((path) => path.startsWith("sites/"))).toHaveLength(2);
});
