import { canonicalHostOf, percentDecoded } from "../contract/host.js";
import { fileOf } from "../pages/kit/page-names.js";

/*
 * Runs before the first paint of a tree's page for addresses without a file. At the address of a report it says what is
 * happening: in a packed tree a worker is about to open it (`register.ts`), otherwise the site is not listed, or is
 * listed under another spelling of its host.
 */

const { currentScript, documentElement } = document;
const source = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href;
const root = new URL("..", source).href;
const { packed, links } = documentElement.dataset;
const [, sent] =
  /^sites\/([^?#]+?)(?:\.html)?\/?(?:[?#]|$)/.exec(location.href.slice(root.length)) ?? [];
const text = percentDecoded(sent ?? "") ?? "";
const host = canonicalHostOf(text.replace(/^(https?):\/+/, "$1://"));

function say(title: string): void {
  document.title = title;
  const heading = document.querySelector<HTMLElement>("h1");
  if (heading === null) return;
  heading.dataset.was ??= heading.textContent ?? "";
  heading.textContent = title;
}

/** Says that a host has no report, and how to get it listed. */
function sayUnlisted(meant: string): void {
  say("Not listed yet");
  const eyebrow = document.querySelector(".eyebrow");
  if (eyebrow !== null) eyebrow.textContent = meant;
  const box = document.querySelector("input");
  if (box !== null) box.value = meant;
  for (const way of document.querySelectorAll<HTMLElement>("[data-unlisted]")) {
    way.hidden = false;
    const lead = document.querySelector(".lead");
    const told = way.dataset.unlisted;
    if (lead !== null && told) lead.textContent = told;
    for (const link of way.querySelectorAll("a")) {
      link.href = link.href.replaceAll("%7Bhost%7D", encodeURIComponent(meant));
    }
  }
  delete documentElement.dataset.opening;
}

async function open(meant: string): Promise<void> {
  say(`Opening the report of ${meant}`);
  documentElement.dataset.opening = meant;
  const isOther = meant !== text;
  if (packed !== undefined) {
    if (isOther) location.replace(`${root}sites/${meant}`);
    return;
  }
  const file = fileOf(`sites/${meant}`) ?? "";
  const isThere = isOther && (await fetch(root + file, { method: "HEAD" })).ok;
  if (isThere) location.replace(root + (links === "clean" ? file.replace(/\.html$/, "") : file));
  else sayUnlisted(meant);
}

if (host !== null) {
  documentElement.dataset.opening = "";
  document.addEventListener("DOMContentLoaded", () => {
    open(host).catch(() => sayUnlisted(host));
  });
}
