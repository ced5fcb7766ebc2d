/* Adds buttons that copy prompts. Without a script, readers select a prompt like any other text. */

/** Milliseconds for which a button shows the outcome. */
const SAID_MS = 2_000;

function addButton(text: HTMLElement, label: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = label;
  const { about } = text.dataset;
  if (about !== undefined) button.setAttribute("aria-describedby", about);
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

// Browsers provide no clipboard to pages loaded without TLS.
if ("clipboard" in navigator) {
  for (const text of document.querySelectorAll<HTMLElement>("pre[data-copy]")) {
    addButton(text, text.dataset.copy ?? "Copy");
  }
}
