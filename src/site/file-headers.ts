import { extname } from "node:path";
import { CACHE_CONTROL } from "../contract/routes.js";
import { PAGE_ROUTES } from "../pages/kit/routes.js";

/** The headers that a host sends with a file of a tree. */
export function fileHeaders(path: string): { contentType: string; cacheControl: string } {
  const html = PAGE_ROUTES.explorer;
  const isHtml = extname(path) === ".html";
  return {
    contentType: isHtml ? html.contentType : "application/json",
    cacheControl: CACHE_CONTROL.directory,
  };
}
