import { type Html, html } from "../pages/kit/html.js";
import { sizeText } from "../pages/kit/words.js";
import "./copy.js";
import { fill } from "./dom.js";
import "./register.js";
import "./search-key.js";
import { LatestRun } from "./timing.js";
import { isComputed } from "./tree.js";
import { treeFetch } from "./tree-search.js";

/*
 * The forms of the API page. A form sends its read and shows the answer below it: status, headers and JSON. Without
 * this script, it opens the answer.
 */

/** The headers that the page shows, if the answer has them. */
const HEADERS = ["content-type", "cache-control", "etag", "vary", "link", "retry-after"];
/** The most characters of a body that the page shows. A report may have megabytes. */
const SHOWN_MAX = 50_000;

/** The address that a form's values make, relative to the page. Empty values are left out. */
function addressOf(form: HTMLFormElement): string {
  let path = form.dataset.read ?? "";
  const query = new URLSearchParams();
  for (const control of form.elements) {
    const isField = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    if (!isField) continue;
    const { name, dataset } = control;
    const value = control.value.trim();
    if (dataset.path !== undefined) {
      path = path.replace(`{${dataset.path}}`, () => encodeURIComponent(value));
    } else if (value !== "") {
      const values = dataset.many === undefined ? [value] : value.split(",");
      for (const one of values) if (one.trim() !== "") query.append(name, one.trim());
    }
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Formats a body for reading: indented if it is JSON, unchanged otherwise. */
function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function replyView(address: string, response: Response, text: string): Html {
  const { status, statusText, headers, ok } = response;
  const shown = indentedJson(text);
  const named = HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`];
  });
  const where = isComputed(address)
    ? html`<span class="address">${address}</span>`
    : html`<a href="${address}" class="address">${address}</a>`;
  return html`<p class="reply-status"><span class="status status-${ok ? "pass" : "fail"}">${status} ${statusText}
    </span> ${where}</p><dl class="reply-headers">${named}</dl>
    <pre tabindex="0" role="region" aria-label="The answer’s body"><code>${shown.slice(0, SHOWN_MAX)}</code></pre>${
      shown.length > SHOWN_MAX
        ? html`<p class="quiet">This is only the start: the address above has all of it.</p>`
        : null
    }`;
}

function failureView(address: string): Html {
  return html`<p class="notice">There was no answer. Is the network there? <a href="${address}">${address}</a></p>`;
}

function answerInPlace(form: HTMLFormElement): void {
  const reply = form.querySelector("[data-reply]");
  const told = form.querySelector("[data-told]");
  if (reply === null || told === null) return;
  const latest = new LatestRun();
  const read = treeFetch();
  for (const fields of form.querySelectorAll<HTMLFieldSetElement>("[data-optional]")) {
    fields.disabled = false;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const signal = latest.begin();
    const address = addressOf(form);
    told.textContent = "";
    try {
      const response = await read(address, { signal, headers: { Accept: "application/json" } });
      const text = await response.text();
      if (signal.aborted) return;
      fill(reply, replyView(address, response, text));
      const size = sizeText(new TextEncoder().encode(text).length);
      told.textContent = `Answer: ${response.status} ${response.statusText}, ${size}`;
    } catch {
      if (signal.aborted) return;
      fill(reply, failureView(address));
      told.textContent = "There was no answer.";
    }
  });
  form.addEventListener("reset", () => {
    latest.end();
    fill(reply, null);
    told.textContent = "";
  });
}

/** Makes the samples use the address at which the page is read, for example on a developer's own machine. */
function useOwnBase(): void {
  const base = document.querySelector<HTMLElement>("[data-base]")?.dataset.base ?? "";
  const here = new URL(".", location.href).href.slice(0, -1);
  for (const code of document.querySelectorAll("pre[data-copy] code")) {
    code.textContent = code.textContent?.replaceAll(base, () => here) ?? "";
  }
}

useOwnBase();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-read]"))
  answerInPlace(form);
