import type { Locator } from "playwright-core";
import { type Browser, withPage } from "../browser/browsers.js";
import { type Reply, type Sent, send } from "../server/http.js";
import type { HostServer } from "./servers/started.js";

type Ask = (path: string, sent?: Sent) => Promise<Reply>;

/** What a host can or cannot do with a tree, and how it shows. */
interface Capability {
  readonly label: string;
  readonly holds: (ask: Ask) => Promise<boolean>;
}

const header = (reply: Reply, name: string) => String(reply.headers[name] ?? "");
const isType = (reply: Reply, type: string) =>
  reply.status === 200 && header(reply, "content-type").startsWith(type);
/** Milliseconds that a page gets to show what it shows on every host. */
const EVERYWHERE_MS = 30_000;
/** Milliseconds for what it shows on some hosts only. On the others, the test waits as long as this. */
const SOMEWHERE_MS = 6_000;
/** Waits until the service worker answers for a page. */
const CONTROLLED = `new Promise((resolve) => {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller !== null) resolve();
  else serviceWorker.addEventListener("controllerchange", () => resolve());
})`;
const REPORT = "/api/sites/open.example/report";
const accept = (type: string): Sent => ({ headers: { accept: type } });

const CAPABILITIES: readonly Capability[] = [
  {
    label: "pages at `/sites/<host>`, `/standards`",
    holds: async (ask) =>
      isType(await ask("/sites/open.example"), "text/html") &&
      isType(await ask("/standards"), "text/html"),
  },
  {
    label: "the API at its addresses, as JSON",
    holds: async (ask) =>
      isType(await ask(REPORT), "application/json") &&
      isType(await ask("/api/standards"), "application/json") &&
      isType(await ask("/.well-known/api-catalog"), "application/linkset+json"),
  },
  {
    label: "Markdown and feeds with their types",
    holds: async (ask) =>
      isType(await ask("/sites/open.example/report.md"), "text/markdown") &&
      /xml/.test(header(await ask("/sitemap.xml"), "content-type")),
  },
  {
    label: "CORS",
    holds: async (ask) =>
      header(await ask("/api/standards.json"), "access-control-allow-origin") === "*" ||
      header(await ask("/api/standards"), "access-control-allow-origin") === "*",
  },
  {
    label: "cache headers for each file",
    holds: async (ask) => {
      const style = /assets\/[a-z]+-[0-9a-f]+\.css/.exec((await ask("/")).text)?.[0] ?? "";
      const isLasting = header(await ask(`/${style}`), "cache-control").includes("immutable");
      return isLasting && header(await ask("/data/current.json"), "cache-control") === "no-cache";
    },
  },
  {
    label: "security policies",
    holds: async (ask) => header(await ask("/"), "content-security-policy") !== "",
  },
  {
    label: "the directory's page for unknown addresses",
    holds: async (ask) =>
      /assets\/[a-z]+-[0-9a-f]{8}[.]css/.test(
        (await ask("/sites/nowhere.example", accept("text/html"))).text,
      ) && (await ask("/sites/nowhere.example")).status === 404,
  },
];

const isShown = (one: Locator, timeout: number) =>
  one.waitFor({ timeout }).then(
    () => true,
    () => false,
  );

/** What shows in a browser. */
const PAGE_CAPABILITIES = {
  search: "search, facets and suggestions in the explorer",
  reports: "`--packed`: reports in the explorer",
  addresses: "`--packed`: a report's address, opened first",
} as const;

export const LABELS = [
  ...CAPABILITIES.map(({ label }) => label),
  ...Object.values(PAGE_CAPABILITIES),
];

/** Which of them a host shows, in their order. @param packed a server of the same host, with a packed tree */
export async function pageCapabilitiesOf(
  browser: Browser,
  plain: HostServer,
  packed: HostServer,
): Promise<boolean[]> {
  const shown = { search: false, reports: false, addresses: false };
  const [address, other] = [plain, packed].map(({ host, port }) => `http://${host}:${port}/`);
  await withPage(browser, `${address}?q=locked&category=news`, async (page) => {
    shown.search = await isShown(page.locator("#found", { hasText: /^1 site$/ }), EVERYWHERE_MS);
  });
  await withPage(browser, `${other}?q=locked`, async (page) => {
    await page.evaluate(CONTROLLED);
    await page.locator("#found", { hasText: /^1 site$/ }).waitFor();
    await page.locator(".site h3 a").click();
    shown.reports = await isShown(page.locator("h1", { hasText: "locked.example" }), EVERYWHERE_MS);
  });
  await withPage(browser, "about:blank", async (page) => {
    // Chromium refuses to show an error without a body.
    await page.goto(`${other}sites/open.example`).catch(() => {});
    shown.addresses = await isShown(page.locator("h1", { hasText: "open.example" }), SOMEWHERE_MS);
  });
  return [shown.search, shown.reports, shown.addresses];
}

/** Which of the others a host shows, in their order. */
export async function capabilitiesOf(server: HostServer): Promise<boolean[]> {
  const shown: boolean[] = [];
  for (const { holds } of CAPABILITIES) {
    shown.push(await holds((path, sent) => send(server, path, sent)));
  }
  return shown;
}
