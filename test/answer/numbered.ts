import { expect } from "vitest";
import { all, attributeOf, elementsOf, parsedPage, textOf } from "../pages/parsed.js";
import { someOf } from "../slow.js";

/* Numbers of sites on pages, against the lists that their links lead to. */

/** A link with the number of sites that it promises. */
interface NumberedLink {
  readonly href: string;
  readonly count: number;
}

/** A number of sites at the end of a link, or before what they have in common; or nothing but a number. */
const SITES = /(?:^|[\s:])([\d,]+) sites?\b|^([\d,]+)$/;

function numberedLinks(page: ReturnType<typeof parsedPage>): NumberedLink[] {
  return all(page, "a").flatMap((link) => {
    const href = attributeOf(link, "href") ?? "";
    // A link in use leads back.
    if (href.startsWith("#") || attributeOf(link, "aria-current") === "true") return [];
    const [, ofSites, alone] = SITES.exec(textOf(link)) ?? countBeside(link) ?? [];
    const number = ofSites ?? alone;
    return number === undefined ? [] : [{ href, count: Number(number.replaceAll(",", "")) }];
  });
}

/** The number beside a link in a list: `Weather` 31. */
function countBeside(link: ReturnType<typeof all>[number]): RegExpExecArray | null {
  const { parentNode } = link;
  if (parentNode === null || !("tagName" in parentNode) || parentNode.tagName !== "li") return null;
  const [count] = elementsOf(parentNode).filter((one) => attributeOf(one, "class") === "count");
  return count === undefined ? null : SITES.exec(textOf(count));
}

/** The number of sites in the list at an address. */
async function listedAt(address: URL): Promise<number> {
  const { origin, pathname, search } = address;
  const [, kind = "", slug = ""] = pathname.split("/");
  const read = async (path: string) => (await fetch(origin + path)).text();
  if (kind === "" || kind === "categories") {
    const query = kind === "" ? search : `?category=${slug}`;
    return JSON.parse(await read(`/api/sites${query}`)).pagination.total;
  }
  const rows = all(parsedPage(await read(pathname + search)), "tr", "data-host");
  return rows.filter((row) => attributeOf(row, "hidden") === null).length;
}

/**
 * Expects every number of sites on a page that is a link to lead to a list of exactly so many.
 * @param most the most links of a page that are followed in a quick run
 * @returns how many numbers the page has
 */
export async function expectNumbersLead(
  server: string,
  path: string,
  most: number,
): Promise<number> {
  const address = new URL(path, server);
  const page = parsedPage(await (await fetch(address)).text());
  const links = numberedLinks(page);
  for (const { href, count } of someOf(links, most)) {
    const listed = await listedAt(new URL(href, address));
    expect([path, href, listed]).toEqual([path, href, count]);
  }
  return links.length;
}
