import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aScript, gives, outcomeOf, pass, type Script } from "./scripted.js";
import { calm, enrichment, follow, READY, type State, state } from "./watched.js";

/** A watch of two states, the second of which is the last. */
function aWatch() {
  const script = aScript([gives(enrichment(state("queued"))), gives(null)], calm);
  const run = async () => {
    for await (const _ of script.client.watchEnrichment("a.com"));
    return "done";
  };
  return { ...script, outcome: outcomeOf(run()) } as Script & { outcome: { value?: string } };
}

/** Puts the globals of a page into place, or of a worker, which has no document. */
function aPage({ worker = false } = {}) {
  const listening = new Set<string>();
  /** A target of events that notes what is listened to. */
  const target = (name: string) => {
    const events = new EventTarget();
    return {
      tell: (type: string) => events.dispatchEvent(new Event(type)),
      addEventListener(type: string, listener: () => void) {
        events.addEventListener(type, listener);
        listening.add(`${name} ${type}`);
      },
      removeEventListener(type: string, listener: () => void) {
        events.removeEventListener(type, listener);
        listening.delete(`${name} ${type}`);
      },
    };
  };
  const document = { ...target("document"), visibilityState: "visible" };
  const navigator = { onLine: true };
  const page = target("page");
  if (!worker) vi.stubGlobal("document", document);
  vi.stubGlobal("navigator", navigator);
  vi.stubGlobal("addEventListener", page.addEventListener);
  vi.stubGlobal("removeEventListener", page.removeEventListener);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return {
    listening: () => [...listening].sort(),
    show(visibilityState: string) {
      document.visibilityState = visibilityState;
      document.tell("visibilitychange");
    },
    connect(onLine: boolean) {
      navigator.onLine = onLine;
      page.tell(onLine ? "online" : "offline");
    },
  };
}

const OF_A_PAGE = ["document visibilitychange", "page offline", "page online"];

describe("a watch pauses", () => {
  it.each([
    [
      "hidden",
      (page: ReturnType<typeof aPage>, on: boolean) => page.show(on ? "visible" : "hidden"),
    ],
    ["offline", (page: ReturnType<typeof aPage>, on: boolean) => page.connect(on)],
  ])("while the page is %s, and asks at once when that ends", async (_, turn) => {
    const page = aPage();
    const watch = aWatch();
    await pass(1000);
    turn(page, false);
    await pass(600_000);
    expect([watch.times(), page.listening()]).toEqual([[0], OF_A_PAGE]);
    turn(page, true);
    await pass(0);
    expect([watch.times(), watch.outcome.value]).toEqual([[0, 601_000], "done"]);
    expect(page.listening()).toEqual([]);
  });

  it("but does not ask sooner after a short pause", async () => {
    const page = aPage();
    const watch = aWatch();
    await pass(1000);
    page.show("hidden");
    await pass(1000);
    page.show("visible");
    await pass(2999);
    expect(watch.times()).toEqual([0]);
    await pass(1);
    expect(watch.times()).toEqual([0, 5000]);
  });

  it("in a worker while the worker is offline", async () => {
    const worker = aPage({ worker: true });
    worker.connect(false);
    const watch = aWatch();
    await pass(1000);
    expect([watch.times(), worker.listening()]).toEqual([[], ["page offline", "page online"]]);
    worker.connect(true);
    await pass(0);
    expect([watch.times(), worker.listening()]).toEqual([[1000], []]);
  });

  it("but never without a page, in Node or where a navigator does not know the network's state", async () => {
    vi.stubGlobal("navigator", { userAgent: "Node.js/24" });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const watch = aWatch();
    await pass(5000);
    expect(watch.outcome.value).toBe("done");
  });
});

describe("nextRetryAt", () => {
  const begin = Date.parse("2026-11-21T10:00:00Z");
  const at = (ms: number) => new Date(begin + ms).toISOString();

  /** When the second request is sent. */
  async function second(copy: State, starterFiles: State | null = null, passing = 200_000) {
    vi.useFakeTimers({ toFake: ["Date"], now: begin });
    const script = aScript([gives(enrichment(copy, starterFiles)), gives(null)], calm);
    follow(script);
    await pass(passing);
    return script.times()[1];
  }

  it("delays the next request", async () => {
    expect(await second(state("delayed", at(90_000)))).toBe(90_000);
    expect(await second(state("delayed", at(90_000)), READY)).toBe(90_000);
  });

  it("counts as the earlier one of two delayed states", async () => {
    expect(await second(state("delayed", at(90_000)), state("delayed", at(40_000)))).toBe(40_000);
  });

  it("delays nothing that may be done before it", async () => {
    expect(await second(state("delayed", at(90_000)), state("generating"))).toBe(5000);
    expect(await second(state("ready", at(90_000)), state("queued"))).toBe(5000);
    expect(await second(state("delayed", at(-90_000)))).toBe(5000);
    expect(await second(state("delayed", "tomorrow"))).toBe(5000);
  });

  it("is waited for even if it is farther away than a timer reaches", async () => {
    const days = 40 * 86_400_000;
    expect(await second(state("delayed", at(days)), null, days - 1)).toBeUndefined();
    expect(await second(state("delayed", at(days)), null, days)).toBe(days);
  });
});
