/* Makes a key move the focus to the search in the header, unless the reader is typing. */

const SEARCH_KEY = "/";

const input = document.querySelector<HTMLInputElement>("#q");
input?.setAttribute("aria-keyshortcuts", SEARCH_KEY);
if (input && matchMedia("(hover: hover) and (min-width: 75rem)").matches)
  input.placeholder = `Search sites (press ${SEARCH_KEY})`;
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target instanceof Element && target.closest("input, select, textarea, dialog");
  if (key !== SEARCH_KEY || isTyping || ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  input?.focus();
  input?.select();
});
