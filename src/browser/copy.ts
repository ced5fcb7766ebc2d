/* Buttons that copy prompts. Without a script a prompt can be selected as any text can. */

/** Milliseconds for which a button says what came of it. */
const SAID_MS = 2_000;

function addButton(text: HTMLElement, label: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = label;
  const { about } = text.dataset;
  if (about !== undefined) button.setAttribute("aria-describedby", about);
  // Said of a place that is there before there is anything to say.
  const told = document.createElement("span");
  told.className = "hidden";
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(text.textContent ?? "").then(
      () => true,
      () => false,
    );
    const outcome = isCopied ? "Copied" : "It could not be copied";
    button.textContent = outcome;
    told.textContent = outcome;
    setTimeout(() => {
      button.textContent = label;
      told.textContent = "";
    }, SAID_MS);
  });
  text.after(button, told);
}

// A page that did not come over TLS has no clipboard.
if ("clipboard" in navigator) {
  for (const text of document.querySelectorAll<HTMLElement>("pre[data-copy]")) {
    addButton(text, text.dataset.copy ?? "Copy");
  }
}
