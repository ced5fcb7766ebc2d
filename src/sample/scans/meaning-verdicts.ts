import { graded, type Judge, passedOrNot, told } from "./verdict.js";

const TYPES = ["Organization", "WebSite", "LocalBusiness", "Product", "Article", "FAQPage"];

/** What the checks of block 2 find. */
export const MEANING_VERDICTS: Readonly<Record<string, Judge>> = {
  "title-description": (visit) => {
    const status = graded(visit, 0.2);
    const texts = {
      pass: "All sampled pages have a title and a description of their own.",
      warn: "Several pages share one description.",
      fail: "The homepage has no title.",
    };
    const { random } = visit;
    const titleLength = status === "fail" ? 0 : random.between(12, 70);
    return told(status, texts, { titleLength, descriptionLength: random.between(50, 200) });
  },

  headings: (visit) => {
    const status = graded(visit, 0);
    const texts = {
      pass: "The outline is complete, and the content lies in main.",
      warn: "There is no main landmark.",
      fail: "There is neither a first-level heading nor a main landmark.",
    };
    const { random } = visit;
    const outline = status === "fail" ? [0, random.between(2, 9)] : [1, random.between(2, 9), 4];
    return told(status, texts, { outline, landmarks: status === "pass" ? ["main", "nav"] : [] });
  },

  language: (visit) => {
    const status = graded(visit, 0.25);
    const tag = visit.site.language?.tag ?? "en";
    const texts = {
      pass: `The pages say that they are in "${tag}", and are.`,
      warn: "The declared language is not the text's.",
      fail: "The lang attribute is missing.",
    };
    const declared = { pass: tag, warn: tag === "en" ? "de" : "en", fail: null }[status];
    return told(status, texts, { declared, detected: tag });
  },

  hreflang: (visit) => {
    const { languages } = visit.site;
    if (languages === 1) return told("na", { na: "The site has one language." }, { versions: 1 });
    const status = graded(visit, -0.05);
    const texts = {
      pass: `All ${languages} language versions point at each other.`,
      warn: "Some language versions do not link back.",
      fail: "Language versions are linked but not declared.",
    };
    return told(status, texts, { versions: languages, xDefault: status === "pass" });
  },

  canonical: (visit) => {
    const status = graded(visit, 0.2);
    const texts = {
      pass: "Each page names one canonical address that answers.",
      warn: "Some pages name no canonical address.",
      fail: "Link element and Link header contradict each other.",
    };
    return told(status, texts, { checked: visit.random.between(3, 6) });
  },

  "image-alt": (visit) => {
    if (!visit.site.hasImages) return told("na", { na: "There are no images." }, { images: 0 });
    const status = graded(visit, -0.05);
    const images = visit.random.between(4, 60);
    const described = Math.floor(images * { pass: 0.95, warn: 0.6, fail: 0.2 }[status]);
    const texts = {
      pass: "Nearly all images have an alternative text.",
      warn: `${described} of ${images} images have an alternative text.`,
      fail: `Only ${described} of ${images} images have an alternative text.`,
    };
    return told(status, texts, { images, described });
  },

  "structured-data": (visit) => {
    const status = graded(visit, -0.05);
    const types = {
      pass: visit.random.some(TYPES, 3),
      warn: ["WebPage"],
      fail: [],
    }[status];
    const texts = {
      pass: `Valid JSON-LD: ${types.join(", ")}.`,
      warn: "The JSON-LD is valid but says only that this is a web page.",
      fail: "There is no structured data that parses.",
    };
    return told(status, texts, { syntax: "json-ld", types });
  },

  sitemap: (visit) => {
    const status = graded(visit, 0.15);
    const { random } = visit;
    const entries = status === "fail" ? 0 : random.between(4, 20_000);
    const texts = {
      pass: `The sitemap lists ${entries} pages and is current.`,
      warn: `The sitemap lists ${entries} pages, without dates.`,
      fail: "No sitemap was found.",
    };
    return told(status, texts, { entries, namedInRobots: random.chance(0.6) });
  },

  "llms-txt": (visit) => {
    const status = graded(visit, -0.45);
    const links = visit.random.between(5, 40);
    const texts = {
      pass: `/llms.txt introduces the site and links ${links} pages.`,
      warn: "/llms.txt is there, but some of its links are dead.",
      fail: "There is no /llms.txt.",
    };
    return told(status, texts, status === "fail" ? { httpStatus: 404 } : { links });
  },

  "link-headers": (visit) => {
    const status = passedOrNot(visit, -0.4);
    const relations = status === "pass" ? ["alternate", "service-desc"] : [];
    const texts = {
      pass: "The Link header announces resources.",
      fail: "There is no Link header beyond hints.",
    };
    return told(status, texts, { relations });
  },

  "amp-alternate": (visit) => told(passedOrNot(visit, -0.2), {}, {}),
};
