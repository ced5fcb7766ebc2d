import { ERROR_TEXTS } from "../../contract/error.js";
import { andThen, type Soon } from "../../engine/soon.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { type FeedForm, feedNamed } from "../../pages/kit/page-names.js";
import {
  MARKDOWN,
  NO_INDEX,
  PAGE_ROUTES,
  type PageName,
  pageHeaders,
} from "../../pages/kit/routes.js";
import {
  drawnContent,
  type Failure,
  isFailure,
  reportContent,
  type SnapshotView,
} from "./content.js";
import type { Sitemaps } from "./list-pages.js";
import {
  bodyOf,
  type CardQueue,
  cardContent,
  figuresContent,
  fileContent,
  imageContent,
} from "./page-bodies.js";
import { adoptionOf, badgeScanOf, exampleHost, standardsOf, surroundingsOf } from "./page-facts.js";
import type { PageContent, PageMatch, PageQuery } from "./pages.js";

/**
 * The code that draws pages. A server has all of it from the start; a script in a browser may load each part when the
 * first page needs it.
 */
export interface PageParts {
  directory(): Soon<typeof import("./directory-pages.js")>;
  guides(): Soon<typeof import("./guide-pages.js")>;
  lists(): Soon<typeof import("./list-pages.js")>;
  reports(): Soon<typeof import("./report-pages.js")>;
  assets(): Soon<typeof import("../../pages/kit/asset-texts.js")>;
}

/** Makes the contents of pages. */
export class PageContents {
  readonly #parts: PageParts;
  /** Null if nothing can draw cards. */
  readonly #cards: CardQueue | null;
  /** The API page changes only with the snapshot, so it is made once. */
  readonly #apiPages = new WeakMap<SnapshotView, PageContent>();
  readonly #sitemaps = new WeakMap<SnapshotView, Sitemaps>();

  constructor(parts: PageParts, cards: CardQueue | null) {
    this.#parts = parts;
    this.#cards = cards;
  }

  /** `Pages.content` */
  of(
    { name, parameter }: PageMatch,
    { scan, text: query }: PageQuery,
    isMarkdown: boolean,
    snapshot: SnapshotView,
  ): Soon<PageContent | Failure> {
    const context = snapshot.directory;
    const own = parameter ?? "";
    switch (name) {
      case "explorer":
        return this.#explorer(query, context, snapshot);
      case "category":
        return this.#category(own, context, snapshot);
      case "standardsPage":
        return this.#standards(context, snapshot);
      case "apiPage":
        return this.#api(context, snapshot);
      case "badge":
        return this.#badge(own, query, context, snapshot);
      case "page":
      case "markdown":
        return this.#report(name, own, scan, isMarkdown || name === "markdown", snapshot);
      case "card":
        return this.#card(own, snapshot);
      case "robots":
        return andThen(this.#parts.guides(), ({ robotsText }) =>
          fileContent(name, robotsText(context), snapshot),
        );
      case "llms":
        return andThen(this.#parts.guides(), ({ llmsText }) =>
          fileContent(name, llmsText(context), snapshot),
        );
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
      case "favicon":
      case "touchIcon":
        return andThen(this.#parts.assets(), ({ iconBytes }) =>
          imageContent(name, iconBytes(name), snapshot),
        );
      case "asset":
        return this.#asset(own, snapshot);
    }
  }

  async #sitemap(
    name: "sitemap" | "sitemapFile",
    file: string,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const { Sitemaps } = await this.#parts.lists();
    const sitemaps = this.#sitemaps.get(snapshot) ?? new Sitemaps(snapshot);
    this.#sitemaps.set(snapshot, sitemaps);
    const text = name === "sitemap" ? await sitemaps.index() : await sitemaps.file(file);
    return text === null ? NO_ADDRESS : fileContent(name, text, snapshot);
  }

  #badge(
    host: string,
    query: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Soon<PageContent | Failure> {
    return andThen(reportContent(snapshot, host, undefined), (found) => {
      if (isFailure(found)) return found;
      return andThen(badgeScanOf(host, snapshot), (scan) =>
        andThen(this.#parts.reports(), ({ badge, badgeLook }) =>
          fileContent("badge", badge({ scan }, context, badgeLook(query)), snapshot, host),
        ),
      );
    });
  }

  #card(host: string, snapshot: SnapshotView): Soon<PageContent | Failure> {
    const queue = this.#cards;
    if (queue === null) return NO_ADDRESS;
    const contentOf = (bytes: Uint8Array) =>
      andThen(this.#parts.reports(), ({ cardSvg, readDrawn }): PageContent | Failure => {
        const svg = cardSvg(readDrawn(bytes).report, snapshot.directory);
        return cardContent(svg, host, queue, snapshot);
      });
    return andThen(drawnContent(snapshot, host, undefined), (stored) =>
      isFailure(stored) ? stored : andThen(stored.read(), contentOf),
    );
  }

  async #explorer(
    query: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent> {
    const { explorerPage, shownAt } = await this.#parts.directory();
    const shown = await shownAt(query, snapshot);
    const content = fileContent("explorer", explorerPage(context, shown), snapshot);
    return query === "" ? content : { ...content, headers: { ...content.headers, ...NO_INDEX } };
  }

  async #category(
    name: string,
    context: PageContext,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const { categoryAt, categoryPage } = await this.#parts.lists();
    const found = await categoryAt(name, await snapshot.engine);
    return found === null
      ? NO_ADDRESS
      : fileContent("category", categoryPage(found, context), snapshot);
  }

  async #feed(
    name: PageName,
    slug: string | null,
    form: FeedForm,
    snapshot: SnapshotView,
  ): Promise<PageContent | Failure> {
    const { atomFeed, feedAt, jsonFeed } = await this.#parts.lists();
    const found = await feedAt(slug, await snapshot.engine);
    if (found === null) return NO_ADDRESS;
    const draw = form === "xml" ? atomFeed : jsonFeed;
    const { contentType } = PAGE_ROUTES[form === "xml" ? "feed" : "jsonFeed"];
    return { ...fileContent(name, draw(found, snapshot.directory), snapshot), contentType };
  }

  async #standards(context: PageContext, snapshot: SnapshotView): Promise<PageContent> {
    const { standardsPage } = await this.#parts.guides();
    const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
    return fileContent("standardsPage", standardsPage(standards, context, adoption), snapshot);
  }

  async #api(context: PageContext, snapshot: SnapshotView): Promise<PageContent> {
    const cached = this.#apiPages.get(snapshot);
    if (cached !== undefined) return cached;
    const [{ apiPage }, engine] = await Promise.all([this.#parts.guides(), snapshot.engine]);
    const content = fileContent("apiPage", apiPage(context, exampleHost(engine)), snapshot);
    this.#apiPages.set(snapshot, content);
    return content;
  }

  #asset(name: string, snapshot: SnapshotView): Soon<PageContent | Failure> {
    return andThen(this.#parts.assets(), ({ ASSETS }) => {
      const asset = ASSETS.find((one) => one.name === name);
      if (asset === undefined) return NO_ADDRESS;
      return { ...fileContent("asset", asset.text, snapshot), contentType: asset.type };
    });
  }

  #report(
    name: "page" | "markdown",
    host: string,
    scan: string | undefined,
    isMarkdown: boolean,
    snapshot: SnapshotView,
  ): Soon<PageContent | Failure> {
    const query = scan === undefined ? "" : `?scan=${scan}`;
    const contentOf = (bytes: Uint8Array) =>
      andThen(
        this.#parts.reports(),
        ({ readDrawn, reportMarkdown, reportPage }): Soon<PageContent> => {
          const { report, left } = readDrawn(bytes);
          const isHidden = scan !== undefined || !report.seo.indexable;
          const traits = {
            contentType: isMarkdown ? MARKDOWN : PAGE_ROUTES[name].contentType,
            headers: { ...pageHeaders(name, host, query, isMarkdown), ...(isHidden && NO_INDEX) },
          };
          const directory = { ...snapshot.directory, hasCards: this.#cards !== null };
          if (isMarkdown) {
            return { ...bodyOf(reportMarkdown(report, directory, left), snapshot), ...traits };
          }
          return andThen(surroundingsOf(report, snapshot), (around) => {
            const text = reportPage(report, directory, left, around);
            return { ...bodyOf(text, snapshot), ...traits };
          });
        },
      );
    return andThen(drawnContent(snapshot, host, scan), (stored) =>
      isFailure(stored) ? stored : andThen(stored.read(), contentOf),
    );
  }
}

const NO_ADDRESS: Failure = { status: 404, error: ERROR_TEXTS.noAddress };
