import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { installedExtras } from "../../../src/extra.js";
import { CardThread } from "../../../src/extras/cards/card-thread.js";
import { cards } from "../../../src/extras/cards/edge.js";
import { createFetchHandler } from "../../../src/fetch/index.js";
import { pages } from "../../../src/fetch/pages.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { aSite } from "../../export/sites.js";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { aService, expectError, type Reply, send, sharedService } from "../../server/http.js";
import { someOf } from "../../slow.js";

const filesOf = (hosts: readonly string[]) =>
  aPublishedDirectory({
    listings: hosts.map((host) =>
      aListing({ host, ...(host === "blocked.example" && { visibility: "blocked" }) }),
    ),
    scans: hosts.map((host) => aScan({ host, id: "new" })),
  });
const files = filesOf(["site-0.example", "site-1.example", "blocked.example"]);
const service = sharedService(files, { cards: true });
const CARD = "/sites/site-0.example/card.png";

/** The width and height of a PNG, whose first chunk has them. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
function expectPng(reply: Reply): void {
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(reply.bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect(sizeOf(reply.bytes)).toEqual([1_200, 630]);
}

describe("a report's card over HTTP", () => {
  it("is a PNG of 1200 by 630 pixels, which is checked for changes like the page", async () => {
    const reply = await send(service.server, CARD, { headers: { "accept-encoding": "br, gzip" } });
    expectPng(reply);
    expect(reply.headers).toMatchObject({
      "cache-control": "public, max-age=0, s-maxage=60, must-revalidate",
      "content-length": String(reply.bytes.length),
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.bytes.length).toBeLessThan(60_000);
    const conditional = { headers: { "if-none-match": String(reply.headers.etag) } };
    expect((await send(service.server, CARD, conditional)).status).toBe(304);
    const head = await send(service.server, CARD, { method: "HEAD" });
    expect({ ...head.headers, date: "" }).toEqual({ ...reply.headers, date: "" });
  });

  it("is another for each report, with the pixels of its own", async () => {
    const [one, other, withheld] = await Promise.all(
      [CARD, "/sites/site-1.example/card.png", "/sites/blocked.example/card.png"].map((target) =>
        send(service.server, target),
      ),
    );
    for (const reply of [one!, other!, withheld!]) expectPng(reply);
    expect(new Set([one, other, withheld].map((reply) => reply?.headers.etag)).size).toBe(3);
  });

  it("is named by the page, and is a 404 for a host without a report", async () => {
    const page = await send(service.server, "/sites/site-0.example");
    expect(page.text).toContain(`content="https://directory.example${CARD}"`);
    expectError(await send(service.server, "/sites/nowhere.example/card.png"), 404);
  });

  it("is no address of a server that draws none", async () => {
    const plain = await aService(files);
    expectError(await send(plain.server, CARD), 404);
    expect((await send(plain.server, "/sites/site-0.example")).text).not.toContain("og:image");
  });

  it("of many requests at once, is drawn once for each of 32 hosts, and the others may try again", async () => {
    const png = (await send(service.server, CARD)).bytes;
    const open: (() => void)[] = [];
    const drawing = vi.spyOn(CardThread.prototype, "draw").mockImplementation(() => {
      return new Promise((resolve) => open.push(() => resolve(png)));
    });
    onTestFinished(() => drawing.mockRestore());
    const hosts = Array.from({ length: 33 }, (_, n) => `many-${n}.example`);
    const many = await aService(filesOf(hosts), onTestFinished, { cards: true });
    const ask = (host: string) => send(many.server, `/sites/${host}/card.png`);
    const drawn = [...hosts.slice(0, 32), ...hosts.slice(0, 1)].map(ask);
    await expect.poll(() => open.length).toBe(32);
    const refused = await ask("many-32.example");
    expectError(refused, 503);
    expect(refused.headers["retry-after"]).toBe("2");
    expect((await send(many.server, "/api/sites?limit=1")).status).toBe(200);
    for (const end of open) end();
    for (const reply of await Promise.all(drawn)) expectPng(reply);
    expect(open).toHaveLength(32);
    drawing.mockRejectedValueOnce(new Error("no")).mockResolvedValue(png);
    expectError(await ask("many-32.example"), 502);
    expectPng(await ask("many-32.example"));
  });
});

const LETTERS = [..."aZ09äßŁźąęćńśčřžůşğıΕλάδαЁжикҐґắệờ“–…€"];

describe("the thread that draws", () => {
  it("says what is wrong with a drawing, draws the next, and starts again after its end", async () => {
    const thread = new CardThread();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>';
    await expect(thread.draw("<svg")).rejects.toThrow("the card cannot be drawn");
    expect(sizeOf(Buffer.from(await thread.draw(svg)))).toEqual([4, 2]);
    const lost = thread.draw(svg);
    const ended = expect(lost).rejects.toThrow("the thread that draws cards has ended");
    await thread.close();
    await ended;
    expect(sizeOf(Buffer.from(await thread.draw(svg)))).toEqual([4, 2]);
    // Its fonts have the letters of each alphabet, together with others.
    const pixels = (text: string, weight: number) =>
      thread.draw(
        `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="40" font-family="Inter"><text ` +
          `y="30" font-size="24" font-weight="${weight}">${text}</text></svg>`,
      );
    for (const weight of [400, 700]) {
      // Beside letters of every other font, and unlike a letter that no font has.
      const none = await pixels("źЖΩế\u4e2da", weight);
      for (const letter of someOf(LETTERS, 12)) {
        const own = await pixels(`źЖΩế${letter}a`, weight);
        expect([letter, Buffer.from(own).equals(none)]).toEqual([letter, false]);
      }
      expect(await pixels("źЖΩếa", weight)).not.toEqual(
        await pixels("z\u4e2d\u4e2d\u4e2da", weight),
      );
    }
    await thread.close();
  });
});

describe("cards elsewhere", () => {
  it("a fetch handler and an export draw the same bytes as the server", async () => {
    const site = await aSite(aPublishedDirectory());
    const served = await aService(null, undefined, { store: site.store, cards: true });
    const target = "/sites/example.com/card.png";
    const ours = await send(served.server, target);
    expectPng(ours);
    const program = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
    const others = installedExtras().filter(({ name }) => name !== "cards");
    const extras = [...others, cards(await readFile(program))];
    const handler = await createFetchHandler({
      store: folderStore(site.store),
      pages: pages(),
      extras,
    });
    const reply = await handler(new Request(`https://any.example${target}`));
    expect([reply.status, reply.headers.get("etag")]).toEqual([200, ours.headers.etag]);
    expect(Buffer.from(await reply.arrayBuffer()).equals(ours.bytes)).toBe(true);
    const page = await handler(new Request("https://any.example/sites/example.com"));
    expect(await page.text()).toBe((await send(served.server, "/sites/example.com")).text);
    await site.export({ cards: true });
    const card = await send(served.server, "/card.png");
    expectPng(card);
    expect((await readFile(join(site.site, "card.png"))).equals(card.bytes)).toBe(true);
    for (const page of ["index.html", "standards.html"]) {
      expect(await readFile(join(site.site, page), "utf8")).toContain(
        'content="https://directory.example/card.png"',
      );
    }
    expect((await readFile(join(site.site, target))).equals(ours.bytes)).toBe(true);
    expect(await readFile(join(site.site, "sites/example.com.html"), "utf8")).toContain("og:image");
  });
});
