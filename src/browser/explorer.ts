import type { Reads } from "../client/reads.js";
import type { Counts, Directory } from "../pages/explorer/facets.js";
import {
  overviewView,
  PROBLEM_TEXTS,
  type Problem,
  problemView,
} from "../pages/explorer/overview.js";
import { foundText, type Listed, resultsView } from "../pages/explorer/results-view.js";
import {
  addressOf,
  changed,
  currentState,
  isBare,
  isFiltered,
  isReversed,
  isStart,
  REVERSED_TEXT,
  readState,
  type SearchState,
  scoreRange,
} from "../pages/explorer/search-state.js";
import { chooseRanges } from "./chart.js";
import { Combobox, type Proposal } from "./combobox.js";
import { fill } from "./dom.js";
import {
  announce,
  beginSearch,
  byId,
  choicesShown,
  drawFilters,
  drawListed,
  elements,
  endListing,
  endSearch,
  focusFound,
  isScoreBox,
  markRange,
  nameWindow,
  record,
  stateLinkAt,
  stateOf,
  useControls,
  writeState,
} from "./explorer-controls.js";
import "./quote.js";
import { Debounce, LatestRun, painted, Throttle, WAIT_MS } from "./timing.js";
import { IN_TREE, linkTo } from "./tree.js";
import { propose, search, searchClient } from "./tree-search.js";

/** The page that searches the directory. The server renders the first state, this script all later ones. */
class Explorer {
  readonly #client: Reads;
  #directory: Directory;
  #state: SearchState;
  /** The sites on the page; null until the API has answered. */
  #listed: Listed | null = null;
  /** The latest counts; null until the API has answered. The page hides them while those of the state load. */
  #counts: Counts | null = null;
  /** Whether the sites on the page are those of the state. */
  #isListed: boolean;
  #problem: Problem | null = null;
  #isSearching = false;
  /** The name of the box that the reader is editing. All its values share one history entry. */
  #entry: string | null = null;
  readonly #asked = new LatestRun();
  readonly #typed = new Throttle(WAIT_MS.typed);
  readonly #stepped = new Debounce(WAIT_MS.stepped);
  readonly #told = new Debounce(WAIT_MS.told);
  readonly #slow = new Debounce(WAIT_MS.slow);
  readonly #combobox: Combobox;
  /** Whether the page was made without the search in its address, as pages of a tree are. */
  readonly #isOnlyInAddress: boolean;

  constructor(client: Reads, directory: Directory) {
    this.#client = client;
    this.#directory = directory;
    this.#state = this.#addressed();
    this.#isOnlyInAddress = IN_TREE && !isBare(this.#state);
    this.#isListed = !this.#isOnlyInAddress;
    this.#combobox = new Combobox({
      input: elements.input,
      list: elements.list,
      find: (text, signal) => propose(client, text, this.#directory, signal),
      onTake: (proposal) => this.#take(proposal),
      tell: announce,
    });
    this.#listen();
    const { input } = elements;
    // Preserves text that was typed before this script loaded.
    if (input.value === input.defaultValue) input.value = this.#state.q;
    else this.#typed.run(() => this.#type());
    this.#drawFilters();
    // A server's page already shows the results for its address; a tree's page always shows those of an empty search.
    if (this.#isOnlyInAddress) {
      writeState(elements.form, this.#state);
      void this.#search();
    } else endSearch(true);
  }

  /** The state of the window's address, which then has the slugs that terms have now. */
  #addressed(): SearchState {
    const given = readState(location.search);
    const state = currentState(given, this.#directory.former);
    const address = addressOf(state);
    if (address !== addressOf(given)) record(address, true);
    return state;
  }

  #take(proposal: Proposal): void {
    if (proposal.kind === "site") {
      location.assign(linkTo(`sites/${encodeURIComponent(proposal.host)}`));
      return;
    }
    if (proposal.kind === "category") {
      void this.#open(changed(readState(""), { category: [proposal.slug] }));
      return;
    }
    elements.input.value = proposal.text;
    this.#choose(stateOf(elements.form), { isAsked: true });
  }

  #listen(): void {
    const { form, input, results, overview, problem } = elements;
    useControls();
    chooseRanges((least, greatest) =>
      this.#open(changed(this.#state, scoreRange(least, greatest))),
    );
    overview.addEventListener("click", (event) => this.#follow(event));
    if (IN_TREE) input.addEventListener("focus", () => this.#prepare());
    input.addEventListener("input", () => this.#typed.run(() => this.#type()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#combobox.close();
      this.#choose(stateOf(form), { isAsked: true });
    });
    form.addEventListener("change", ({ target }) => this.#change(target));
    form.addEventListener("focusout", ({ target }) => {
      if (!isScoreBox(target)) return;
      this.#stepped.now();
      if (this.#entry === target.name) this.#entry = null;
    });
    results.addEventListener("click", (event) => this.#follow(event));
    problem.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("[data-retry]") : null;
      if (button !== null) void this.#retry(button);
    });
    addEventListener("popstate", () => this.#come(this.#addressed()));
    addEventListener("online", () => {
      if (this.#problem === "offline") void this.#search();
    });
    addEventListener("offline", () => this.#fail("offline"));
  }

  #type(): void {
    const { q } = stateOf(elements.form);
    if (q !== this.#state.q) this.#go(changed(this.#state, { q }), "q");
  }

  #change(target: EventTarget | null): void {
    const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    // The ticks of sites belong to a form of their own.
    if (!isControl || target.form !== elements.form) return;
    if (target === elements.input || target.name === "") return;
    // Arrow keys step through intermediate scores that nobody wants to search for.
    if (isScoreBox(target)) {
      this.#stepped.run(() => this.#choose(stateOf(elements.form), { box: target.name }));
    } else this.#choose(stateOf(elements.form));
  }

  /**
   * Searches for a state if it differs from the current one.
   * @param box the name of the box that the state comes from, if the reader is still editing it
   * @param isAsked whether to search even if the state is unchanged
   */
  #choose(
    state: SearchState,
    { box = null, isAsked = false }: { box?: string | null; isAsked?: boolean } = {},
  ): void {
    this.#typed.end();
    this.#stepped.end();
    if (addressOf(state) !== addressOf(this.#state)) {
      this.#go(state, box);
      return;
    }
    writeState(elements.form, this.#state);
    if (box === null) this.#entry = null;
    if (this.#problem !== null || isAsked) void this.#search();
  }

  /** @param box the name of the box that the state comes from; null if the reader is not editing one */
  #go(state: SearchState, box: string | null): void {
    record(addressOf(state), box !== null && box === this.#entry);
    this.#entry = box;
    this.#state = state;
    if (box !== "q") this.#write();
    void this.#search();
  }

  /** Switches to a state that does not come from the form. */
  #come(state: SearchState): Promise<boolean> {
    this.#typed.end();
    this.#stepped.end();
    this.#combobox.close();
    this.#entry = null;
    this.#state = state;
    this.#write();
    return this.#search();
  }

  /** Writes the state into the form now: the next state is read from the form, even before the API answers. */
  #write(): void {
    elements.input.value = this.#state.q;
    this.#drawFilters();
    writeState(elements.form, this.#state);
  }

  /** @param isQuiet whether the page already shows these results, so that nothing is announced */
  async #search(isQuiet = false): Promise<boolean> {
    const signal = this.#asked.begin();
    const state = this.#state;
    this.#told.end();
    markRange(elements.form, state);
    if (isReversed(state)) {
      // The API would refuse this range of scores, so it is not asked.
      this.#settle(false);
      announce(REVERSED_TEXT);
      return false;
    }
    this.#isSearching = true;
    if (!isQuiet) this.#begin();
    const { first, listed, counted } = search(this.#client, state, signal);
    const tags = this.#tags(signal);
    // It is awaited once the sites are shown; this only avoids an unhandled rejection.
    tags.catch(() => {});
    try {
      const some = await first;
      if (signal.aborted) return false;
      if (some !== null && !isQuiet) {
        // A key that is pressed now waits only until the rows of the first screen are drawn.
        this.#drawListed(some);
        this.#isListed = true;
        endListing();
        await painted();
      }
      const found = await listed;
      if (signal.aborted) return false;
      this.#list(found, isQuiet);
    } catch {
      if (!signal.aborted) this.#fail(navigator.onLine ? "failed" : "offline");
      return false;
    }
    void this.#count(counted, tags, signal);
    return true;
  }

  /** Shows that a search runs. The top gets its next height now, not under the eyes of somebody who reads the list. */
  #begin(): void {
    const { overview } = elements;
    beginSearch();
    this.#isListed = false;
    const isAtStart = overview.querySelector(".intro:not(.hidden)") !== null;
    if (isAtStart !== isStart(this.#state))
      fill(overview, overviewView(this.#state, this.#directory, null, null));
    this.#slow.run(() => announce("Searching…"));
  }

  /** Ends the running search. */
  #settle(isCounted: boolean): void {
    this.#asked.end();
    this.#isSearching = false;
    this.#slow.end();
    endSearch(isCounted);
  }

  /** Shows the sites that the running search has found. */
  #list(listed: Listed, isQuiet: boolean): void {
    this.#slow.end();
    this.#listed = listed;
    this.#isListed = true;
    this.#problem = null;
    fill(elements.problem, null);
    this.#drawListed(listed);
    endListing();
    nameWindow(this.#state, listed);
    const tell = () => announce(foundText(listed));
    if (this.#entry === "q") this.#told.run(tell);
    else if (!isQuiet) tell();
  }

  #drawListed(listed: Listed): void {
    drawListed(resultsView(this.#state, this.#directory, listed, this.#counts), listed);
  }

  /** Shows the counts of the running search, whose sites are on the page. */
  async #count(
    counted: Promise<Counts>,
    tagged: Promise<Directory["tags"]>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const [counts, tags] = await Promise.all([counted, tagged]);
      await painted();
      if (signal.aborted) return;
      this.#settle(true);
      this.#directory = { ...this.#directory, tags };
      this.#counts = counts;
      fill(
        elements.overview,
        overviewView(this.#state, this.#directory, this.#listed, this.#counts),
      );
      this.#drawFilters();
      // The counts may name the filters in use.
      if (this.#listed !== null && isFiltered(this.#state)) this.#drawListed(this.#listed);
    } catch {
      if (!signal.aborted) this.#fail(navigator.onLine ? "uncounted" : "offline");
    }
  }

  /** Moves the focus to the results after success, because the pressed button disappears with the problem. */
  async #retry(button: Element): Promise<void> {
    if (await this.#search()) focusFound(button);
  }

  async #tags(signal: AbortSignal): Promise<Directory["tags"]> {
    if (this.#directory.tags.length > 0) return this.#directory.tags;
    return (await this.#client.tags({ signal })).data;
  }

  /**
   * Leaves filters from the server unchanged until the API has answered: this script does not have their counts yet. In
   * a tree, the page's filters do not reflect a search in its address, so they are drawn now.
   */
  #drawFilters(): void {
    if (this.#counts === null && !this.#isOnlyInAddress) return;
    drawFilters(this.#state, this.#directory, this.#counts);
  }

  /** Loads what searches need, once a reader is about to search. */
  #prepare(): void {
    if (this.#listed === null && !this.#isSearching && this.#problem === null)
      void this.#search(true);
  }

  /** Handles clicks on links to other states of the explorer without loading a page. */
  async #follow(event: MouseEvent): Promise<void> {
    const link = stateLinkAt(event);
    if (link === null) return;
    event.preventDefault();
    const isFound = await this.#open(readState(link.dataset.state || link.search));
    // A link of the histogram stays where it is. Others have disappeared, so the focus moves to the results.
    if (isFound && !elements.overview.contains(link) && focusFound(link)) {
      elements.results.scrollIntoView({ block: "start" });
    }
  }

  /** Switches to a state, with a history entry if the address changes. */
  #open(state: SearchState): Promise<boolean> {
    const address = addressOf(state);
    record(address, address === location.search);
    return this.#come(state);
  }

  #fail(problem: Problem): void {
    this.#settle(false);
    this.#problem = problem;
    fill(elements.problem, problemView(problem, !this.#isListed));
    announce(PROBLEM_TEXTS[problem]);
  }
}

const known = byId("directory", HTMLElement).textContent ?? "";
const { ticks } = elements;
const label = ticks?.querySelector("button")?.textContent ?? "";
const directory: Directory = {
  ...JSON.parse(known),
  choices: choicesShown(),
  ticks: ticks && { form: ticks.id, label },
  to: linkTo,
};
new Explorer(searchClient(), directory);
