import { apiPage } from "../../pages/api/api-page.js";
import { comparePage } from "../../pages/compare/compare-page.js";
import { comparedHosts, comparedSite, comparisonCsv } from "../../pages/compare/comparison.js";
import { explorerPage } from "../../pages/explorer/explorer-page.js";
import { scanFeed } from "../../pages/feeds/feed.js";
import { llmsText, robotsText } from "../../pages/feeds/guides.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { type FeedForm, feedNamed } from "../../pages/kit/page-names.js";
import {
  MARKDOWN,
  NO_INDEX,
  PAGE_ROUTES,
  type PageName,
  pageHeaders,
} from "../../pages/kit/routes.js";
import { badge } from "../../pages/report/badge.js";
import { badgeLook } from "../../pages/report/badge-look.js";
import { cardSvg } from "../../pages/report/card.js";
import { readDrawn } from "../../pages/report/excerpt.js";

import { fixTask, reportMarkdown } from "../../pages/report/report-markdown.js";
import { reportPage } from "../../pages/report/report-page.js";
import { feedAt } from "./categories.js";
import { categoriesContent, categoryContent, figureContent } from "./category-pages.js";
import {
  drawnContent,
  type Failure,
  isFailure,
  reportContent,
  type SnapshotView,
} from "./content.js";
import { shownAt } from "./directory-pages.js";
import { NO_ADDRESS } from "./error-answers.js";
import { Sitemaps } from "./list-pages.js";
import {
  changesContent,
  checkContent,
  directoryCardContent,
  standardsContent,
} from "./methodology-pages.js";
import {
  bodyOf,
  type CardQueue,
  drawnImage,
  figuresContent,
  fileContent,
  imageContent,
  withQuery,
} from "./page-bodies.js";
import { badgeScanOf, exampleHost, surroundingsOf } from "./page-facts.js";
import type { PageContent, PageMatch, PageQuery } from "./page-types.js";

/** Loads the texts of the files that pages use. They are long, so an edge worker loads them once a request needs one. */
export type LoadAssets = () => Promise<typeof import("../../pages/kit/asset-texts.js")>;

/** Makes the page of a report. */
export type DrawReport = (...of: Parameters<typeof reportPage>) => string;

/** Makes the contents of pages. */
export class PageContents {
  readonly #assets: LoadAssets;
  /** Null if nothing can draw cards. */
  readonly #cards: CardQueue | null;
  readonly #preview: DrawReport | null;
  /** The API page changes only with the snapshot, so it is made once. */
  readonly #apiPages = new WeakMap<SnapshotView, PageContent>();
  readonly #sitemaps = new WeakMap<SnapshotView, Sitemaps>();
  /** The reports of stored bytes: an export makes several files of the same ones. */
  readonly #drawn = new WeakMap<Uint8Array, ReturnType<typeof readDrawn>>();

  constructor(assets: LoadAssets, cards: CardQueue | null, preview: DrawReport | null) {
    this.#assets = assets;
    this.#cards = cards;
    this.#preview = preview;
  }

  /** `Pages.content` */
  async of(
    { name, parameter }: PageMatch,
    { scan, text: query }: PageQuery,
    isMarkdown: boolean,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const context = { hasCards: this.#cards !== null, ...snapshot.directory };
    const own = parameter ?? "";
    switch (name) {
      case "explorer":
        return this.#explorer(query, context, snapshot);
      case "categoriesPage":
        return categoriesContent(context, snapshot);
      case "category":
      case "matrix":
      case "table":
        return categoryContent(name, own, query, context, snapshot);
      case "compare":
      case "compareCsv":
        return this.#compare(name, query, context, snapshot);
      case "standardsPage":
        return standardsContent(context, snapshot);
      case "changes":
        return changesContent(context, snapshot);
      case "checkPage":
        return checkContent(own, context, snapshot);
      case "apiPage":
        return this.#api(context, snapshot);
      case "badge":
        return this.#badge(own, query, context, snapshot);
      case "page":
      case "markdown":
        return this.#report(name, own, scan, isMarkdown || name === "markdown", context, snapshot);
      case "task":
        return this.#report(name, own, undefined, true, context, snapshot);
      case "card":
        return this.#card(own, snapshot);
      case "directoryCard":
        return directoryCardContent(this.#cards, context, snapshot);
      case "robots":
        return fileContent(name, robotsText(context), snapshot);
      case "llms":
        return fileContent(name, llmsText(context), snapshot);
      case "sitemap":
      case "sitemapFile":
        return this.#sitemap(name, own, snapshot);
      case "figures":
        return figuresContent(snapshot);
      case "feed":
        return this.#feed(name, null, "xml", snapshot);
      case "jsonFeed":
        return this.#feed(name, null, "json", snapshot);
      case "categoryFeed": {
        const { slug, form } = feedNamed(own) ?? { slug: own, form: "xml" };
        return this.#feed(name, slug, form, snapshot);
      }
      case "figure":
        return figureContent(own, this.#cards, snapshot);
      case "favicon":
      case "touchIcon":
        return imageContent(name, (await this.#assets()).iconBytes(name), snapshot);
      case "asset":
        return this.#asset(own, snapshot);
    }
  }

  async #sitemap(
    name: "sitemap" | "sitemapFile",
    file: string,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const sitemaps = this.#sitemaps.get(snapshot) ?? new Sitemaps(snapshot);
    this.#sitemaps.set(snapshot, sitemaps);
    const text = name === "sitemap" ? await sitemaps.index() : await sitemaps.file(file);
    return text === null ? NO_ADDRESS : fileContent(name, text, snapshot);
  }

  async #badge(
    host: string,
    query: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const found = await reportContent(snapshot, host, undefined);
    if (isFailure(found)) return found;
    const scan = await badgeScanOf(host, snapshot);
    return fileContent("badge", badge({ scan }, context, badgeLook(query)), snapshot, host);
  }

  async #card(host: string, snapshot: SnapshotView): Promise<PageContent | Failure> {
    const queue = this.#cards;
    if (queue === null) return NO_ADDRESS;
    const stored = await drawnContent(snapshot, host, undefined);
    if (isFailure(stored)) return stored;
    const svg = cardSvg(this.#read(await stored.read()).report, snapshot.directory);
    return drawnImage("card", svg, host, queue, snapshot);
  }

  async #explorer(
    query: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent> {
    const shown = await shownAt(query, snapshot);
    return withQuery(await fileContent("explorer", explorerPage(context, shown), snapshot), query);
  }

  async #compare(
    name: "compare" | "compareCsv",
    query: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent> {
    const asked = await Promise.all(
      comparedHosts(query).map(async (host) => {
        const stored = await drawnContent(snapshot, host, undefined);
        const site = isFailure(stored)
          ? null
          : comparedSite(this.#read(await stored.read()).report);
        return [host, site] as const;
      }),
    );
    if (name === "compare")
      return withQuery(await fileContent(name, comparePage(asked, context), snapshot), query);
    const sites = asked.flatMap(([, site]) => site ?? []);
    return fileContent(name, comparisonCsv(sites, context.checkIds), snapshot);
  }

  async #feed(
    name: PageName,
    slug: string | null,
    form: FeedForm,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const found = await feedAt(slug, await snapshot.engine);
    if (found === null) return NO_ADDRESS;
    const { contentType } = PAGE_ROUTES[form === "xml" ? "feed" : "jsonFeed"];
    const content = await fileContent(name, scanFeed(form, found, snapshot.directory), snapshot);
    return { ...content, contentType };
  }

  async #api(context: PageContext, snapshot: SnapshotView): Promise<PageContent> {
    const cached = this.#apiPages.get(snapshot);
    if (cached !== undefined) return cached;
    const example = await exampleHost(snapshot);
    const content = await fileContent("apiPage", apiPage(context, example), snapshot);
    this.#apiPages.set(snapshot, content);
    return content;
  }

  async #asset(name: string, snapshot: SnapshotView): Promise<PageContent | Failure> {
    const { ASSETS } = await this.#assets();
    const asset = ASSETS.find((one) => one.name === name);
    if (asset === undefined) return NO_ADDRESS;
    const content = await fileContent("asset", asset.text, snapshot);
    return { ...content, contentType: asset.type };
  }

  #read(bytes: Uint8Array): ReturnType<typeof readDrawn> {
    const drawn = this.#drawn.get(bytes) ?? readDrawn(bytes);
    this.#drawn.set(bytes, drawn);
    return drawn;
  }

  async #report(
    name: "page" | "markdown" | "task",
    host: string,
    scan: string | undefined,
    isMarkdown: boolean,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const stored = await drawnContent(snapshot, host, scan);
    if (isFailure(stored)) return stored;
    const { report, left } = this.#read(await stored.read());
    const markdown = name === "task" ? fixTask : reportMarkdown;
    const text = isMarkdown
      ? markdown(report, context, left)
      : this.#preview
        ? this.#preview(report, context)
        : reportPage(report, context, left, await surroundingsOf(report, snapshot));
    const query = scan === undefined ? "" : `?scan=${scan}`;
    const isHidden = scan !== undefined || !report.seo.indexable;
    return {
      ...(await bodyOf(text, snapshot)),
      contentType: isMarkdown ? MARKDOWN : PAGE_ROUTES[name].contentType,
      headers: { ...pageHeaders(name, host, query, isMarkdown), ...(isHidden && NO_INDEX) },
    };
  }
}
