import { COMPARED_MAX } from "../pages/compare/comparison.js";
import { listed } from "../pages/kit/words.js";

/**
 * Keeps the ticks of sites while the list is redrawn: a site that is no longer in it stays ticked, as a hidden field.
 */
export class Ticks {
  readonly #form: HTMLFormElement;
  readonly #list: Element;
  readonly #hosts = new Set<string>();

  constructor(form: HTMLFormElement, list: Element) {
    this.#form = form;
    this.#list = list;
    list.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.form !== form) return;
      if (target.checked) this.#hosts.add(target.value);
      else this.#hosts.delete(target.value);
      this.#draw();
    });
    // The browser may have kept ticks of an earlier visit.
    for (const { checked, value } of this.#boxes) if (checked) this.#hosts.add(value);
    new MutationObserver(() => this.#draw()).observe(list, { childList: true, subtree: true });
    this.#draw();
  }

  #draw(): void {
    const left = new Set(this.#hosts);
    for (const box of this.#boxes) {
      box.checked = left.delete(box.value);
      box.disabled = !box.checked && this.#hosts.size >= COMPARED_MAX;
    }
    for (const field of this.#form.querySelectorAll("input")) field.remove();
    for (const host of left) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "sites", value: host });
      this.#form.append(field);
    }
    const told = this.#form.querySelector("#ticked");
    if (told !== null && this.#hosts.size > 0)
      told.textContent = `Ticked: ${listed([...this.#hosts])}`;
  }

  get #boxes(): NodeListOf<HTMLInputElement> {
    return this.#list.querySelectorAll<HTMLInputElement>(".tick input");
  }
}
