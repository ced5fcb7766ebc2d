import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, serve } from "../../../src/index.js";
import type { RunningServer } from "../../../src/server/server.js";
import {
  aCheck,
  aCheckDescription,
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  theStandards,
  theTaxonomy,
  writePublished,
} from "../../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../../pages/parsed.js";
import { expectError, send } from "../../server/http.js";

const CHECKS = ["https", "sitemap", "feed", "rare"] as const;
const CATEGORIES = [theTaxonomy().categories[0]!.slug, theTaxonomy().categories[1]!.slug] as const;
const SITES = 22;

const TURNS = [0, 1, 2, 3] as const;
const LAST = 3;
/** A site of each category that gains all checks in the last publication. */
const GAINS_ALL = [6, 9];

/** A site in each publication. The score follows from the checks in no way: any is possible. */
interface Site {
  readonly host: string;
  /** By publication: some sites move. */
  readonly categories: readonly string[];
  readonly isHidden: boolean;
  /** The first publication that has it. */
  readonly since: number;
  readonly scans: readonly { readonly score: number | null; readonly passes: readonly string[] }[];
}

/** Sites that pass other checks in each publication: always the same ones. */
const sites = Array.from({ length: SITES }, (_, at): Site => {
  const passesAt = (turn: number) => {
    if (GAINS_ALL.includes(at)) return turn === LAST ? CHECKS : [];
    return CHECKS.filter(
      (id, check) =>
        // Fewer sites than the page has room for pass it, one of them without a score.
        (id !== "rare" || [8, 10].includes(at)) &&
        (Math.imul(at * 31 + check * 7 + turn * 13 + 1, 2_654_435_761) >>> 16) % 3 !== 0,
    );
  };
  // Some scans fail, with the last one as well.
  const scoreAt = (turn: number) =>
    (at * 5 + turn * 3) % 8 === 1 ? null : (at * 37 + turn * 11 * (at % 4)) % 101;
  return {
    host: `site-${at}.com`,
    categories: TURNS.map(
      (turn) => CATEGORIES[(at + (turn === LAST && at % 5 === 0 ? 1 : 0)) % 2]!,
    ),
    isHidden: at % 10 === 3,
    since: at > 18 ? LAST : 0,
    scans: TURNS.map((turn) => ({ score: scoreAt(turn), passes: passesAt(turn) })),
  };
});

function directoryAt(turn: number): PublishedFiles {
  const described = CHECKS.map((id) => aCheckDescription({ id, name: `The ${id}`, block: 1 }));
  const listed = sites.filter(({ since }) => since <= turn);
  return aPublishedDirectory({
    standards: { ...theStandards(), checks: described },
    listings: listed.map(({ host, categories, isHidden }, at) =>
      aListing({
        host,
        category: categories[turn]!,
        name: `<${host}>`,
        ...(isHidden && { visibility: "opted-out" }),
        // A plan changes no order.
        entitlements: {
          history: false,
          fixPrompts: 0,
          starterFiles: false,
          highlight: at % 4 === 0,
        },
      }),
    ),
    scans: listed.flatMap(({ host, scans }) =>
      scans.slice(0, turn + 1).map(({ score, passes }, number) =>
        aScan({
          host,
          id: `scan-${number}`,
          finishedAt: `2026-08-0${number + 1}T00:00:00Z`,
          score,
          block1: score,
          ...(score === null && { band: null, scoreVersion: null }),
          checks: CHECKS.map((checkId) => {
            const isPassed = passes.includes(checkId);
            return aCheck({
              checkId,
              status: isPassed ? "pass" : "fail",
              points: isPassed ? 10 : 0,
              maxPoints: 10,
              summary: `${host} ${isPassed ? "passes" : "fails"} ${checkId} & more`,
            });
          }),
        }),
      ),
    ),
  });
}

let server: RunningServer;
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const store = join(folder, "store");
  for (const turn of TURNS)
    await build(await writePublished(join(folder, `${turn}`), directoryAt(turn)), { store });
  server = await serve(store, { port: 0, log: () => {} });
});
afterAll(async () => {
  await server.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

const pageAt = async (target: string) => {
  const { status, text } = await send(server, target);
  expect([target, status]).toEqual([target, 200]);
  return parsedPage(text);
};
const hostsIn = (node: Parameters<typeof all>[0]) =>
  all(node, "a").flatMap(
    (one) => /^\.\.\/sites\/(.*)$/.exec(attributeOf(one, "href") ?? "")?.[1] ?? [],
  );

type Scan = Site["scans"][number];

/** The sites of a category that gained a check and pass it still, with their scans around the last gain. */
function newlyPassing(slug: string, id: string) {
  const gains = (from: Scan | undefined, to: Scan) =>
    from !== undefined &&
    from.score !== null &&
    to.score !== null &&
    to.passes.includes(id) &&
    !from.passes.includes(id);
  return sites.flatMap(({ host, categories, isHidden, since, scans }) => {
    const last = TURNS.findLast(
      (turn) => turn > since && categories[turn] === slug && gains(scans[turn - 1], scans[turn]!),
    );
    const now = scans[LAST]!;
    const isShown = !isHidden && categories[LAST] === slug && now.score !== null;
    if (last === undefined || !isShown || !now.passes.includes(id)) return [];
    return [{ host, last, from: scans[last - 1]!, to: scans[last]! }];
  });
}

/** What the page says of the move of a score. */
function moveOf({ from, to }: { readonly from: Scan; readonly to: Scan }, id: string): string {
  if (from.score === to.score) return "";
  const others = to.passes.filter((one) => one !== id && !from.passes.includes(one)).length;
  const lost = from.passes.filter((one) => !to.passes.includes(one)).length;
  const counts = [
    ["", ", with 1 other check"][others] ?? `, with ${others} other checks`,
    ["", ", 1 check lost"][lost] ?? `, ${lost} checks lost`,
  ];
  return `: score ${from.score} → ${to.score}${counts.join("")}`;
}

describe("the page of who passes which check in a category", () => {
  it.each(CATEGORIES)(
    "names the best sites of %s that pass, with what the scan says of them",
    async (slug) => {
      const page = await pageAt(`/peers/${slug}`);
      for (const id of CHECKS) {
        const section = byId(page, `check-${id}`);
        const passing = sites
          .filter(({ categories, isHidden }) => categories[LAST] === slug && !isHidden)
          .map(({ host, scans }) => ({ host, ...scans[LAST]! }))
          .filter(({ passes }) => passes.includes(id))
          .flatMap(({ host, score }) => (score === null ? [] : { host, score }))
          .sort((a, b) => b.score - a.score || (a.host < b.host ? -1 : 1))
          .map(({ host }) => host)
          .slice(0, 3);
        const [list] = all(section, "ol");
        expect([slug, id, hostsIn(list!)]).toEqual([slug, id, passing]);
        for (const host of passing) expect(textOf(list!)).toContain(`${host} passes ${id} & more`);
      }
    },
  );

  it.each(CATEGORIES)(
    "names the scored sites of %s that newly pass a check, with the move of the score and all checks of the change",
    async (slug) => {
      const page = await pageAt(`/peers/${slug}`);
      const texts: string[] = [];
      for (const id of CHECKS) {
        const newly = newlyPassing(slug, id);
        const latest = newly.map(({ last }) => last).sort((a, b) => b - a);
        const [list] = all(byId(page, `check-${id}`), "ul").filter(
          (one) => attributeOf(one, "class") === "lines",
        );
        const lines = list === undefined ? [] : all(list, "li");
        expect([slug, id, lines.length]).toEqual([slug, id, Math.min(3, newly.length)]);
        const found = lines.map((line) => newly.find(({ host }) => host === hostsIn(line)[0])!);
        expect(found.map(({ last }) => last)).toEqual(latest.slice(0, 3));
        const shown = lines.map((line) =>
          /published \d+ \w+ \d{4}(?<move>.*)$/s.exec(textOf(line)),
        );
        expect(shown.map((match) => match?.groups?.move?.trim())).toEqual(
          found.map((one) => moveOf(one, id)),
        );
        texts.push(...lines.map(textOf));
      }
      expect(texts.some((text) => text.includes(" other check"))).toBe(true);
    },
  );

  it("is linked from each check that a report has failed, and has an element for each", async () => {
    for (const { host, categories, scans } of sites
      .filter(({ isHidden }) => !isHidden)
      .slice(0, 8)) {
      const links = all(await pageAt(`/sites/${host}`), "a").flatMap(
        (one) => /^\.\.\/(peers\/.*)$/.exec(attributeOf(one, "href") ?? "")?.[1] ?? [],
      );
      const failed = CHECKS.filter((id) => !scans[LAST]!.passes.includes(id));
      expect([host, links.toSorted()]).toEqual([
        host,
        failed.map((id) => `peers/${categories[LAST]}#check-${id}`).toSorted(),
      ]);
      for (const link of links) byId(await pageAt(`/${link.split("#")[0]}`), link.split("#")[1]!);
    }
  });

  it("does not name sites that have opted out, and there is none of other categories", async () => {
    for (const slug of CATEGORIES) {
      const text = textOf(await pageAt(`/peers/${slug}`));
      for (const { host } of sites.filter(({ isHidden }) => isHidden))
        expect(text).not.toContain(`${host} `);
    }
    for (const name of ["nothing", "constructor", `${CATEGORIES[0]}--2`])
      expectError(await send(server, `/peers/${name}`), 404);
  });
});
