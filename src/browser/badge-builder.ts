import { markupText } from "../pages/kit/escape.js";
import { badgeLook, badgeQuery } from "../pages/report/badge.js";

/* Lets readers choose how a report's badge looks, and updates its picture and the codes to embed it. */

function followBuilder(builder: HTMLFieldSetElement, image: HTMLImageElement): void {
  const { src, dataset } = image;
  const address = dataset.address ?? "";
  const codes = [...document.querySelectorAll<HTMLElement>("#share pre")].map((element) => ({
    element,
    text: element.textContent ?? "",
  }));
  const choose = () => {
    const asked = new URLSearchParams();
    for (const { name, value } of builder.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
      "[name]",
    )) {
      asked.set(name, value);
    }
    const query = badgeQuery(badgeLook(asked.toString()));
    const end = query === "" ? "" : `?${query}`;
    image.src = src + end;
    for (const { element, text } of codes) {
      const own = text.startsWith("<") ? markupText(end) : end;
      element.textContent = text.replaceAll(address, () => address + own);
    }
  };
  // The badge is as wide as its text.
  image.addEventListener("load", () => {
    image.width = image.naturalWidth;
  });
  builder.addEventListener("input", choose);
  // A browser may have kept choices from an earlier visit.
  choose();
}

const builder = document.querySelector<HTMLFieldSetElement>("#builder");
const image = document.querySelector<HTMLImageElement>("#share .badge");
if (builder !== null && image !== null) followBuilder(builder, image);
