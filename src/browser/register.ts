import { IS_PACKED, ROOT } from "./tree.js";

/*
 * Registers the worker that answers the reports of a packed tree. The tree's page for addresses without a file has the
 * attribute `data-lost`: it loads its address again once the worker is there.
 */

/** Where a tab notes the address that it has loaded again. */
const AGAIN = "crawldex: loaded again";

const isLost = document.documentElement.dataset.lost !== undefined;

async function register({ serviceWorker }: Navigator): Promise<void> {
  const isUncontrolled = serviceWorker.controller === null;
  await serviceWorker.register(`${ROOT}worker.js`);
  if (!isLost) return;
  if (!isUncontrolled || sessionStorage.getItem(AGAIN) === location.href) {
    stopOpening();
    return;
  }
  await serviceWorker.ready;
  sessionStorage.setItem(AGAIN, location.href);
  location.reload();
}

/** Has the page say again that there is nothing at its address, in place of the report that it was about to open. */
function stopOpening(): void {
  delete document.documentElement.dataset.opening;
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
