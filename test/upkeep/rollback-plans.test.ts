import { describe, expect, it } from "vitest";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { answersIn } from "../store/answers.js";
import { aStore } from "../store/stores.js";
import { manyListings } from "../store/trees.js";
import { HOST, OPEN, opened, planned } from "./plans.js";

/** The directory without that listing. */
const without = manyListings(3);

describe("a rollback after a downgrade", () => {
  it.each([
    ["older scans", { ...OPEN, history: false }, { historical: 0, history: false }],
    ["fix prompts", { ...OPEN, fixPrompts: 1 }, { prompts: 1 }],
    ["starter files", { ...OPEN, starterFiles: false }, { files: false }],
    ["the highlight", { ...OPEN, highlight: false }, { highlighted: false }],
    ["everything", {}, { historical: 0, prompts: 0, files: false, highlighted: false }],
  ])("does not show %s again", async (_, plan, shown) => {
    const { store } = await aStore(planned(OPEN), planned(plan, { name: "Renamed" }));
    const today = (await answersIn(store))[HOST];
    const { listings } = await rollback(store);
    expect(await opened(store)).toMatchObject(shown);
    // No answer is rewritten: the listing keeps those of the last build.
    expect((await answersIn(store))[HOST]).toEqual(today);
    expect(listings.withheld).toEqual([{ host: HOST, why: "plan" }]);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("shows former answers again if the plan opens as much or more", async () => {
    for (const plan of [OPEN, { ...OPEN, fixPrompts: 2 }]) {
      const { store } = await aStore(planned(plan), planned(OPEN, { name: "Renamed" }));
      const { listings } = await rollback(store);
      expect(listings).toMatchObject({ back: [HOST], withheld: [], away: [] });
    }
  });

  it("leaves the listing out if the last build has no report of it, or one with a category that is gone", async () => {
    const away = [{ host: HOST, why: "plan" }];
    const unscanned = await aStore(planned(OPEN), planned({}, {}, 0));
    expect((await rollback(unscanned.store)).listings).toMatchObject({ back: [], away });
    const before = planned(OPEN);
    const { taxonomy } = before;
    const [category] = taxonomy.categories ?? [];
    const added = { ...category!, slug: "added" };
    const after = planned({}, { category: "added" });
    const categories = [...(taxonomy.categories ?? []), added];
    const other = await aStore(before, { ...after, taxonomy: { ...taxonomy, categories } });
    expect((await rollback(other.store)).listings).toMatchObject({ back: [], away });
    for (const { store } of [unscanned, other]) {
      expect(await opened(store)).toBeNull();
      expect((await verify(store)).bad).toEqual([]);
    }
  });

  it(
    "remembers the last plan of a listing that has left the input, as long as a rollback can bring " +
      "it back",
    async () => {
      const restored = { restoreMissing: true };
      const { store, builds, publish } = await aStore(planned(OPEN), planned({}), without);
      const [opening, closed] = builds as [string, string];
      await publish({
        ...without,
        listings: without.listings.map((one) => ({ ...one, name: "N" })),
      });
      const first = await rollback(store, { ...restored, to: opening });
      expect(first.listings.away).toEqual([{ host: HOST, why: "plan" }]);
      const second = await rollback(store, { ...restored, to: closed });
      expect(second.listings.back).toContain(HOST);
      expect(await opened(store)).toMatchObject({ historical: 0, prompts: 0, files: false });
      // What is stated last counts.
      await publish(planned(OPEN));
      await publish(without);
      expect((await rollback(store, { ...restored, to: opening })).listings.back).toContain(HOST);
      expect(await opened(store)).toMatchObject({ historical: 1, prompts: 2, files: true });
    },
  );
});
