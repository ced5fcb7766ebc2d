import { el } from "../pages/kit/tree.js";
import { fill } from "./dom.js";
import { Latest, Pause } from "./waiting.js";

/** Something that may be meant by what is typed. */
export interface Proposal {
  /** What stands in the box when it is taken. */
  readonly text: string;
  /** What it is beside that; null where there is nothing to say. */
  readonly about: string | null;
}

export interface ComboboxOptions {
  readonly input: HTMLInputElement;
  /** An empty list, which is hidden. */
  readonly list: HTMLElement;
  /** Finds proposals for a text; they are not waited for where it fails. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Proposal[]>;
  /** Called when one is taken; its text is in the box already. */
  readonly onTake: (text: string) => void;
  /** Called with what is to be heard. */
  readonly tell: (text: string) => void;
}

/** Milliseconds without a key before proposals are asked for. */
const PAUSE_MS = 150;

/**
 * A box with proposals below it, by the pattern of a combobox with a list (WAI-ARIA APG): the focus stays in the box;
 * arrows go through the list, Enter takes, Escape closes it and, when it is closed, empties the box.
 */
export class Combobox {
  readonly #options: ComboboxOptions;
  readonly #pause = new Pause(PAUSE_MS);
  readonly #asked = new Latest();
  #proposals: readonly Proposal[] = [];
  /** The place of the one that Enter takes; -1 for none. */
  #active = -1;

  constructor(options: ComboboxOptions) {
    this.#options = options;
    const { input, list } = options;
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": list.id,
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    input.addEventListener("input", () => {
      // What was proposed, or is on its way, is for another text.
      this.#asked.end();
      this.#activate(-1);
      this.#pause.run(() => void this.#find());
    });
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("blur", () => this.close());
    // The box keeps the focus, so that a press on the list does not close it first.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = (event.target as Element).closest("[role=option]");
      if (option !== null) this.#take([...list.children].indexOf(option));
    });
  }

  close(): void {
    this.#pause.end();
    this.#asked.end();
    this.#show([]);
  }

  get #isOpen(): boolean {
    return this.#proposals.length > 0;
  }

  async #find(): Promise<void> {
    const { input, find, tell } = this.#options;
    this.#pause.end();
    const signal = this.#asked.begin();
    const proposals = await find(input.value, signal).catch(() => []);
    if (signal.aborted || document.activeElement !== input) return;
    this.#show(proposals);
    if (proposals.length > 0) {
      const count = proposals.length === 1 ? "1 suggestion" : `${proposals.length} suggestions`;
      tell(`${count}, to be gone through with the arrow keys`);
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { key } = event;
    const { length } = this.#proposals;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[key];
    if (step !== undefined) {
      event.preventDefault();
      if (!this.#isOpen) void this.#find();
      // Above the first and below the last is the box itself: -1.
      else this.#activate(((this.#active + 1 + step + length + 1) % (length + 1)) - 1);
    } else if (key === "Enter" && this.#active >= 0) {
      event.preventDefault();
      this.#take(this.#active);
    } else if (key === "Escape" && this.#isOpen) {
      event.preventDefault();
      this.close();
    }
  }

  #take(place: number): void {
    const proposal = this.#proposals[place];
    if (proposal === undefined) return;
    const { input, onTake } = this.#options;
    input.value = proposal.text;
    this.close();
    onTake(proposal.text);
  }

  #show(proposals: readonly Proposal[]): void {
    const { input, list } = this.#options;
    this.#proposals = proposals;
    const options = proposals.map(({ text, about }, place) =>
      el(
        "li",
        { role: "option", id: `${list.id}-${place}`, "aria-selected": "false" },
        el("bdi", {}, text),
        about === null ? null : el("span", { class: "quiet", dir: "auto" }, about),
      ),
    );
    fill(list, options);
    list.hidden = !this.#isOpen;
    input.setAttribute("aria-expanded", String(this.#isOpen));
    this.#activate(-1);
  }

  #activate(place: number): void {
    const { input, list } = this.#options;
    this.#active = place;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(at === place));
    }
    const active = list.children[place];
    if (active === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", active.id);
    active?.scrollIntoView({ block: "nearest" });
  }
}
