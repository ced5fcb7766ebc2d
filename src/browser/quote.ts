import "./copy.js";
import "./register.js";
import "./search-key.js";

/*
 * The script of most pages: buttons that copy facts, the key of the search, the worker of a packed tree, and logos of
 * sites, which may be on any server. A logo that cannot be loaded is removed, so that the letter behind it shows.
 */

for (const image of document.querySelectorAll<HTMLImageElement>(".logo img")) {
  if (image.complete && image.naturalWidth === 0) image.remove();
}
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLImageElement) target.remove();
  },
  // Errors of images do not bubble.
  true,
);
