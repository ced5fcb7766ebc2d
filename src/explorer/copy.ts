/* Buttons that copy prompts. Without a script a prompt can be selected as any text can. */

/** Milliseconds for which a button says what came of it. */
const SAID_MS = 2_000;

function addButton(text: HTMLElement, label: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = label;
  button.setAttribute("aria-describedby", text.id);
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(text.textContent ?? "").then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? "Copied" : "It could not be copied";
    setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  });
  text.after(button);
}

// A page that did not come over TLS has no clipboard.
if ("clipboard" in navigator) {
  for (const text of document.querySelectorAll<HTMLElement>("pre[data-copy]")) {
    addButton(text, text.dataset.copy ?? "Copy");
  }
}
