import { type Client, createClient } from "../client/client.js";
import type { Directory } from "../pages/facet-groups.js";
import { facetsView, filtersText } from "../pages/facets-view.js";
import {
  filesView,
  hostMeant,
  PROBLEM_TEXTS,
  type Problem,
  problemOf,
  problemView,
} from "../pages/problem-view.js";
import { type Found, foundText, resultsView } from "../pages/results-view.js";
import { addressOf, changed, readState, type SearchState } from "../pages/search-state.js";
import { Combobox } from "./combobox.js";
import { fill } from "./dom.js";
import { propose, search } from "./search.js";
import { Latest, Pause } from "./waiting.js";

/** Milliseconds without a key before what is typed is searched for. */
const TYPED_MS = 250;
/** Milliseconds after which a search that has not answered is spoken of. */
const SLOW_MS = 500;

/** The places of the page that the script fills. */
const places = {
  form: byId("search", HTMLFormElement),
  input: byId("q", HTMLInputElement),
  list: byId("suggestions", HTMLElement),
  filters: byId("filters", HTMLElement),
  toggle: byId("filters-toggle", HTMLButtonElement),
  problem: byId("problem", HTMLElement),
  results: byId("results", HTMLElement),
  told: byId("told", HTMLElement),
};

/** How an address comes to be: a text that is being typed has one entry of the history, whatever it becomes. */
type Way = "typed" | "chosen" | "given";

/** The page that searches the directory. The server has made its first state; from then on it is made here. */
class Explorer {
  readonly #client: Client;
  #directory: Directory;
  #state = readState(location.search);
  /** What is on the page; null until the API has answered. */
  #found: Found | null = null;
  #problem: Problem | null = null;
  #isTyping = false;
  readonly #unfolded = new Set<string>();
  readonly #narrowed = new Map<string, string>();
  readonly #asked = new Latest();
  readonly #typed = new Pause(TYPED_MS);
  readonly #slow = new Pause(SLOW_MS);
  readonly #combobox: Combobox;

  constructor(client: Client, directory: Directory) {
    this.#client = client;
    this.#directory = directory;
    this.#combobox = new Combobox({
      input: places.input,
      list: places.list,
      find: (text, signal) => propose(client, text, signal),
      onTake: () => this.#choose(this.#formState(), true),
      tell,
    });
    this.#listen();
    places.input.value = this.#state.q;
    // What a runtime has found already stands there.
    if (places.results.dataset.made !== "true") void this.#search();
  }

  #listen(): void {
    const { form, input, toggle, results, problem, filters } = places;
    input.addEventListener("input", () => this.#typed.run(() => this.#type()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#combobox.close();
      this.#choose(this.#formState(), true);
    });
    form.addEventListener("change", ({ target }) => {
      const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isControl && target !== input && target.name !== "") this.#choose(this.#formState());
    });
    filters.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.dataset.narrow !== undefined) {
        this.#narrowed.set(target.dataset.narrow, target.value);
        this.#showFilters();
      }
    });
    filters.addEventListener("click", ({ target }) => this.#unfold(target));
    toggle.addEventListener("click", () => {
      const isOpen = toggle.getAttribute("aria-expanded") === "true";
      toggle.setAttribute("aria-expanded", String(!isOpen));
    });
    results.addEventListener("click", (event) => this.#follow(event));
    results.addEventListener("keydown", (event) => {
      const isHost = event.target instanceof Element && event.target.id === "host";
      if (isHost && event.key === "Enter") {
        event.preventDefault();
        openReport();
      }
    });
    problem.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("[data-retry]")) void this.#retry();
    });
    addEventListener("popstate", () => this.#restore());
    addEventListener("online", () => {
      if (this.#problem === "offline") void this.#search();
    });
    addEventListener("offline", () => this.#fail("offline"));
  }

  /** What the form says; its text and choices begin on the first page. */
  #formState(): SearchState {
    const given = new URLSearchParams();
    for (const [name, value] of new FormData(places.form)) given.append(name, String(value));
    return readState(given);
  }

  #type(): void {
    const { q } = this.#formState();
    if (q !== this.#state.q) this.#go(changed(this.#state, { q }), "typed");
  }

  /** @param hasFocusedBox whether the reader goes on from the box, and not from what was found */
  #choose(state: SearchState, hasFocusedBox = false): void {
    this.#typed.end();
    if (addressOf(state) !== addressOf(this.#state)) this.#go(state, "chosen");
    else if (this.#problem !== null || hasFocusedBox) void this.#search();
    this.#isTyping = false;
  }

  #go(state: SearchState, way: Exclude<Way, "given">): void {
    const address = location.pathname + addressOf(state);
    if (way === "typed" && this.#isTyping) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#isTyping = way === "typed";
    this.#state = state;
    if (way === "chosen") places.input.value = state.q;
    void this.#search();
  }

  #restore(): void {
    this.#typed.end();
    this.#combobox.close();
    this.#isTyping = false;
    this.#state = readState(location.search);
    places.input.value = this.#state.q;
    void this.#search();
  }

  /** @param isQuiet whether what is to be found is on the page already */
  async #search(isQuiet = false): Promise<boolean> {
    const signal = this.#asked.begin();
    const state = this.#state;
    if (!isQuiet) {
      places.results.setAttribute("aria-busy", "true");
      this.#slow.run(() => tell("Searching…"));
    }
    try {
      const [found, tags] = await Promise.all([
        search(this.#client, state, this.#directory, signal),
        this.#tags(signal),
      ]);
      if (signal.aborted) return false;
      this.#directory = { ...this.#directory, tags };
      this.#found = found;
      this.#show(isQuiet);
      return true;
    } catch (error) {
      if (!signal.aborted && !isQuiet) this.#fail(problemOf(error, navigator.onLine));
      return false;
    } finally {
      if (!signal.aborted) {
        this.#slow.end();
        places.results.removeAttribute("aria-busy");
      }
    }
  }

  /** The button that was pressed goes with what it was about. */
  async #retry(): Promise<void> {
    if (await this.#search()) focusFound();
  }

  async #tags(signal: AbortSignal): Promise<Directory["tags"]> {
    if (this.#directory.tags.length > 0) return this.#directory.tags;
    return (await this.#client.tags({ signal })).data;
  }

  #show(isQuiet: boolean): void {
    const found = this.#found;
    if (found === null) return;
    this.#problem = null;
    fill(places.problem, []);
    fill(places.results, resultsView(this.#state, this.#directory, found));
    this.#showFilters();
    if (!isQuiet) tell(foundText(found));
  }

  #showFilters(): void {
    if (this.#found === null) {
      void this.#search(true);
      return;
    }
    const use = { unfolded: this.#unfolded, narrowed: this.#narrowed };
    fill(places.filters, facetsView(this.#state, this.#directory, this.#found, use));
    places.toggle.textContent = filtersText(this.#state);
  }

  #unfold(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest("[data-unfold]") : null;
    const name = button?.getAttribute("data-unfold");
    if (name === null || name === undefined) return;
    if (!this.#unfolded.delete(name)) this.#unfolded.add(name);
    this.#showFilters();
  }

  /** Goes on here where a link leads to another state of the explorer. */
  async #follow(event: MouseEvent): Promise<void> {
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (target.closest("[data-open-report]")) openReport();
    const link = target.closest<HTMLAnchorElement>("a[data-state]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.button !== 0) return;
    event.preventDefault();
    this.#isTyping = false;
    this.#state = readState(link.search);
    history.pushState(null, "", location.pathname + addressOf(this.#state));
    places.input.value = this.#state.q;
    // What was followed is gone: reading goes on where what is found begins.
    if (await this.#search()) {
      focusFound();
      places.results.scrollIntoView({ block: "start" });
    }
  }

  #fail(problem: Problem): void {
    this.#problem = problem;
    const isOld = this.#found !== null || places.results.dataset.made === "true";
    fill(places.problem, problemView(problem, isOld && problem !== "unavailable"));
    if (problem === "unavailable") void this.#showFiles();
    tell(PROBLEM_TEXTS[problem]);
  }

  async #showFiles(): Promise<void> {
    places.form.classList.add("files");
    fill(places.results, filesView([]));
    const { data } = await this.#client.categories().catch(() => ({ data: [] }));
    const names = data.map(({ name }) => name);
    if (this.#problem === "unavailable") fill(places.results, filesView(names));
  }
}

function openReport(): void {
  const host = hostMeant(byId("host", HTMLInputElement).value);
  if (host !== null) location.assign(`sites/${encodeURIComponent(host)}`);
}

function focusFound(): void {
  places.results.querySelector<HTMLElement>("#found")?.focus({ preventScroll: true });
}

/** Says a text to those who hear the page. */
function tell(text: string): void {
  places.told.textContent = text;
}

function byId<T extends Element>(id: string, type: { new (): T; readonly prototype: T }): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}

const directory = JSON.parse(byId("directory", HTMLElement).textContent ?? "") as Directory;
new Explorer(createClient({ baseUrl: new URL(".", location.href).href }), directory);
