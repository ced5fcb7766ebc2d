import { type Html, html, unseen } from "../pages/kit/html.js";
import { scoreTag, withMarks } from "../pages/kit/site-row.js";
import { hostInScript, hostText, type Level, numberOf } from "../pages/kit/words.js";
import { fill } from "./dom.js";
import { Debounce, LatestRun, Throttle, WAIT_MS } from "./timing.js";

/** A suggestion for the typed text: a site's report, the sites of a category, or a search. */
export type Proposal =
  | {
      readonly kind: "site";
      readonly host: string;
      readonly name: string | null;
      readonly score: number | null;
      readonly level: Level;
    }
  | { readonly kind: "category"; readonly slug: string; readonly label: string }
  | { readonly kind: "search"; readonly text: string; readonly isCorrection: boolean };

export interface ComboboxOptions {
  readonly input: HTMLInputElement;
  /** An empty, hidden list. */
  readonly list: HTMLElement;
  /** Finds proposals for a text. A rejection counts as no proposals. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Proposal[]>;
  /** Called when the reader takes a proposal. */
  readonly onTake: (proposal: Proposal) => void;
  /** Announces a text to screen readers. */
  readonly tell: (text: string) => void;
}

/**
 * A text box with a list of proposals, after the combobox pattern (WAI-ARIA APG). The focus stays in the box. Arrow
 * keys move through the list, Enter takes the active proposal, Escape closes the list. Once the list is closed, the
 * code leaves Escape to the browser, which clears a search box.
 */
export class Combobox {
  readonly #options: ComboboxOptions;
  readonly #pace = new Throttle(WAIT_MS.typed);
  readonly #told = new Debounce(WAIT_MS.told);
  readonly #asked = new LatestRun();
  #proposals: readonly Proposal[] = [];
  /** The index of the proposal that Enter takes; -1 for none. */
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
      // Any current proposals and pending requests are for the previous text.
      this.#asked.end();
      this.#activate(-1);
      this.#pace.run(() => void this.#find());
    });
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("blur", () => this.close());
    // Keeps the focus in the box; otherwise a press on the list would close the list before the click.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const { target } = event;
      const option = target instanceof Element ? target.closest("[role=option]") : null;
      if (option !== null) this.#take([...list.children].indexOf(option));
    });
  }

  close(): void {
    this.#pace.end();
    this.#asked.end();
    this.#told.end();
    this.#show([]);
  }

  get #isOpen(): boolean {
    return this.#proposals.length > 0;
  }

  async #find(): Promise<void> {
    const { input, find, tell } = this.#options;
    this.#pace.end();
    const signal = this.#asked.begin();
    const proposals = await find(input.value, signal).catch(() => []);
    if (signal.aborted || document.activeElement !== input) return;
    this.#show(proposals);
    if (proposals.length > 0) {
      const count = proposals.length === 1 ? "1 suggestion" : `${proposals.length} suggestions`;
      this.#told.run(() => tell(`${count}; use the arrow keys to choose one`));
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
      // The cycle includes the box itself, -1, before the first and after the last proposal.
      else this.#activate(((this.#active + 1 + step + length + 1) % (length + 1)) - 1);
    } else if (key === "Enter" && this.#active >= 0) {
      event.preventDefault();
      this.#take(this.#active);
    } else if (key === "Escape" && this.#isOpen) {
      event.preventDefault();
      this.close();
    }
  }

  #take(index: number): void {
    const proposal = this.#proposals[index];
    if (proposal === undefined) return;
    this.close();
    this.#options.onTake(proposal);
  }

  #show(proposals: readonly Proposal[]): void {
    const { input, list } = this.#options;
    this.#proposals = proposals;
    const options = proposals.map((proposal, index) => {
      const attributes = html`id="${list.id}-${index}" class="${proposal.kind}" aria-selected="false"`;
      return html`<li role="option" ${attributes}>${proposalView(proposal, input.value.trim())}</li>`;
    });
    fill(list, html`${options}`);
    list.hidden = !this.#isOpen;
    input.setAttribute("aria-expanded", String(this.#isOpen));
    this.#activate(-1);
  }

  #activate(index: number): void {
    const { input, list } = this.#options;
    this.#active = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(at === index));
    }
    const active = list.children[index];
    if (active === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", active.id);
    active?.scrollIntoView({ block: "nearest" });
  }
}

function proposalView(proposal: Proposal, typed: string): Html {
  if (proposal.kind === "search") {
    const { text, isCorrection } = proposal;
    return isCorrection
      ? html`<span>Did you mean <bdi>${text}</bdi>?</span>`
      : html`<span>Search for “<bdi>${text}</bdi>”</span>`;
  }
  if (proposal.kind === "category") {
    const { label } = proposal;
    return html`<bdi class="proposed">${withMarks(label, typed)}</bdi> <span class="quiet">Category</span>`;
  }
  const { host, name, score, level } = proposal;
  const address = html`<span class="address">${withMarks(hostText(host), typed)}</span>`;
  const scored =
    score === null
      ? html`<span class="quiet">Not scored</span>`
      : scoreTag(level, [unseen("score "), numberOf(score)]);
  return html`
    <bdi class="proposed">${withMarks(name ?? hostInScript(host) ?? host, typed)}</bdi>
    ${name === null ? null : address}
    ${scored}`;
}
