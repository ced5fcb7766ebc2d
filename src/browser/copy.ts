/* Adds buttons that copy or save a text. Without a script, readers select it like any other text. */

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

function addCopyButton(text: HTMLElement, label: string): void {
  const button = buttonFor(text, label);
  // Screen readers announce changes only in a status element that already exists.
  const told = document.createElement("span");
  told.className = "hidden";
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(text.textContent ?? "").then(
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
    addCopyButton(text, text.dataset.copy ?? "Copy");
  }
}
