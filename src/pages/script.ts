/**
 * The pages' script. Without it a page says all that it has to say. It adds buttons that copy prompts, and
 * asks how far what is generated is: only while that is pending, backing off on errors, not while the page
 * is hidden or the browser offline (contract section 3, rule 1).
 */
export const PAGE_SCRIPT = `const EVERY_MS = 15000;
const LATEST_MS = 300000;
const FARTHEST_MS = 3600000;
const PENDING = ["queued", "generating", "delayed"];

for (const text of document.querySelectorAll("pre[data-copy]")) addCopyButton(text);
const news = document.getElementById("enrichment-news");
if (news !== null) watch(news);

function addCopyButton(text) {
  if (!navigator.clipboard) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = text.dataset.copy;
  button.setAttribute("aria-describedby", text.id);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "It could not be copied";
    }
    setTimeout(() => { button.textContent = text.dataset.copy; }, 2000);
  });
  text.after(button);
}

function watch(place) {
  const { enrichment: address, revision, retry } = place.dataset;
  let failures = 0;
  let timer = 0;
  let isAsking = false;
  let isOver = false;
  let due = Date.now() + waitUntil(retry);

  function plan() {
    clearTimeout(timer);
    if (isOver || isAsking || document.hidden || !navigator.onLine) return;
    timer = setTimeout(ask, Math.max(0, due - Date.now()));
  }

  async function ask() {
    isAsking = true;
    try {
      const answer = await fetch(address, { cache: "no-cache", headers: { Accept: "application/json" } });
      if (answer.status >= 400 && answer.status < 500) isOver = true;
      else if (answer.ok) take((await answer.json()).data);
      else fail(Number(answer.headers.get("Retry-After")) * 1000);
    } catch {
      fail(0);
    }
    isAsking = false;
    plan();
  }

  function take(data) {
    failures = 0;
    const states = data === null ? [] : [data.copy, data.starterFiles].filter((one) => one !== null);
    const pending = states.filter(({ state }) => PENDING.includes(state));
    isOver = pending.length === 0;
    if (data === null || data.revision !== revision) tell(place, isOver);
    const isDelayed = pending.every(({ state }) => state === "delayed");
    const times = pending.map(({ nextRetryAt }) => nextRetryAt).filter((time) => time !== null);
    due = Date.now() + waitUntil(isDelayed ? times.sort((a, b) => Date.parse(a) - Date.parse(b))[0] : "");
  }

  function fail(atLeast) {
    failures += 1;
    due = Date.now() + Math.max(atLeast || 0, Math.min(LATEST_MS, EVERY_MS * 2 ** failures));
  }

  document.addEventListener("visibilitychange", plan);
  addEventListener("online", plan);
  addEventListener("offline", plan);
  plan();
}

function waitUntil(time) {
  const wait = Date.parse(time || "") - Date.now();
  return Math.min(FARTHEST_MS, Math.max(EVERY_MS, wait || 0));
}

function tell(place, isOver) {
  const link = document.createElement("a");
  link.href = location.pathname + location.search;
  link.textContent = "Load the page again";
  place.replaceChildren(isOver ? "It is done. " : "It has changed. ", link, " to see what is new.");
}
`;
