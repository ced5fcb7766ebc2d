/* Logos of sites, which lie anywhere on the web. */

/** Removes logos that cannot be loaded, so that the letter behind them is seen. */
export function dropBrokenLogos(): void {
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
}
