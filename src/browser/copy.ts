/*
 * Adds buttons that copy or save a text, or copy the text that a link leads to. Without a script, readers select it
 * like any other text.
 */

/** Milliseconds for which a button shows the outcome. */
const SAID_MS = 2_000;

function buttonFor(text: HTMLElement, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = label;
  const { about } = text.dataset;
  if (about !== undefined) button.setAttribute("aria-describedby", about);
  return button;
}

/** @param copy copies the text; rejects if it cannot */
function addCopyButton(text: HTMLElement, label: string, copy: () => Promise<void>): void {
  const button = buttonFor(text, label);
  // Screen readers announce changes only in a status element that already exists.
  const told = document.createElement("span");
  told.className = "hidden";
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    const isCopied = await copy().then(
      () => true,
      () => false,
    );
    const outcome = isCopied ? "Copied" : "Copying failed";
    button.textContent = outcome;
    told.textContent = outcome;
    setTimeout(() => {
      button.textContent = label;
      told.textContent = "";
    }, SAID_MS);
  });
  text.after(button, told);
}

async function fetchedText(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  return new Blob([await response.text()], { type: "text/plain" });
}

/** Adds a button that saves the text as a file. */
function addSaveButton(text: HTMLElement, name: string): void {
  const button = buttonFor(text, `Download ${name}`);
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text.textContent ?? ""], { type: "text/plain" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  text.after(button);
}

for (const text of document.querySelectorAll<HTMLElement>("pre[data-file]")) {
  addSaveButton(text, text.dataset.file ?? "");
}
// Browsers provide no clipboard to pages loaded without TLS.
if ("clipboard" in navigator) {
  for (const text of document.querySelectorAll<HTMLElement>("pre[data-copy]")) {
    addCopyButton(text, text.dataset.copy ?? "Copy", () =>
      navigator.clipboard.writeText(text.textContent ?? ""),
    );
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-copy]")) {
    // Safari lets a page write only while it handles the click, but accepts a promise of the text.
    addCopyButton(link, link.dataset.copy ?? "Copy", () =>
      navigator.clipboard.write([new ClipboardItem({ "text/plain": fetchedText(link.href) })]),
    );
  }
}
