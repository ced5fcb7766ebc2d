import { IS_PACKED, ROOT } from "./tree.js";

/*
 * Registers the worker that answers the reports of a packed tree. The tree's page for addresses without a file has the
 * attribute `data-lost`: it loads its address again once the worker is active. A link preview page of a report also has
 * `data-report`, the link to the report that it opens then.
 */

/** The key under which a tab stores the address that it has loaded again. */
const AGAIN = "crawldex: loaded again";

const { lost, report } = document.documentElement.dataset;
const isLost = lost !== undefined;
/** The address that the worker answers. Only the path of a link to a report differs from the page's own address. */
const target = new URL(report ?? location.pathname, location.href);
target.search = location.search;
target.hash = location.hash;

/** Resolves once the page shows the results for its address, so that the worker does not slow down their loading. */
function resultsShown(): Promise<void> {
  const { documentElement: root } = document;
  return new Promise((resolve) => {
    const look = () => {
      if (root.dataset.sought === undefined) resolve();
    };
    new MutationObserver(look).observe(root, { attributeFilter: ["data-sought"] });
    look();
  });
}

async function register({ serviceWorker }: Navigator): Promise<void> {
  await resultsShown();
  const isUncontrolled = serviceWorker.controller === null;
  await serviceWorker.register(`${ROOT}worker.js`);
  if (!isLost) return;
  const isOther = target.pathname !== location.pathname;
  const isAgain = sessionStorage.getItem(AGAIN) === target.href;
  if (isUncontrolled ? isAgain : !isOther) {
    stopOpening();
    return;
  }
  await serviceWorker.ready;
  sessionStorage.setItem(AGAIN, target.href);
  if (isOther) location.replace(target);
  else location.reload();
}

/** Makes the page say again that there is nothing at its address, instead of the report that it was about to open. */
function stopOpening(): void {
  delete document.documentElement.dataset.opening;
  document.querySelector("[data-opens]")?.remove();
  const heading = document.querySelector<HTMLElement>("h1[data-was]");
  if (heading === null) return;
  heading.textContent = heading.dataset.was ?? "";
  document.title = heading.textContent;
}

/** Says that this browser cannot show reports here, for example because the page came over plain http. */
function giveUp(): void {
  stopOpening();
  for (const notice of document.querySelectorAll<HTMLElement>("[data-no-worker]")) {
    notice.hidden = false;
  }
}

if (IS_PACKED && "serviceWorker" in navigator) register(navigator).catch(giveUp);
else if (IS_PACKED) giveUp();
