import { fileOf } from "../pages/kit/page-names.js";

/*
 * A page's root element says where the page is. In a tree of files, `data-links` says how links name the files, and
 * `data-search` names the script that searches without a server. `data-packed` says that scripts answer all reads,
 * because reports are not files. A page without these attributes has the API beside it.
 */

const { links, search, packed } = document.documentElement.dataset;

/** The address of the tree or server that the page belongs to: the scripts of pages are in its folder `assets`. */
export const ROOT = new URL("..", import.meta.url).href;

/** The address of the script that searches without a server; null if the API is beside the page. */
export const SEARCH_SCRIPT = search === undefined ? null : `${ROOT}assets/${search}`;

/** Whether there are only files, so that a page searches by itself. */
export const IN_TREE = SEARCH_SCRIPT !== null;

export const IS_PACKED = packed !== undefined;

/**
 * Whether a packed tree's scripts make the answer, as for all addresses of sites. @param address relative to the root
 */
function isPacked(address: string): boolean {
  return IS_PACKED && /^(?:api\/)?sites\//.test(address);
}

/** Whether scripts must make an answer, because no file has it. @param address relative to the root */
export function isComputed(address: string): boolean {
  return IN_TREE && (isPacked(address) || fileOf(address) === null);
}

/** The link to an address of the tree or server. @param address relative to the root */
export function linkTo(address: string): string {
  const isPage = /^(?!api\/)[^?#]/.test(address);
  if (links === undefined || isPacked(address) || !isPage) return address;
  // The scan is part of a file's name. The rest of a query is for the page's script.
  const at = address.search(/#|\?(?!scan=)/);
  const [path, rest] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at)];
  const file = fileOf(path) ?? path;
  return (links === "clean" ? file.replace(/\.html$/, "") : file) + rest;
}

/** Reads an address of the API, or its file. @param address relative to the root */
export function fetchFile(address: string, init?: RequestInit): Promise<Response> {
  const isFile = links !== undefined && !isPacked(address);
  return fetch(ROOT + (isFile ? (fileOf(address) ?? address) : address), init);
}
