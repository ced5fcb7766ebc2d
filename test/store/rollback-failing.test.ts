import { cpSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { calls } from "../../src/files/calls.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { type Call, commitOf, withHook } from "../crash/faults.js";
import type { Product } from "../crash/product.js";
import { aListing, aScan } from "../fixtures.js";
import { someOf } from "../slow.js";
import { answersIn } from "./answers.js";
import { aStore, named } from "./stores.js";

const product = { calls } as Product;

/** A store whose rollback writes a segment with answers of both snapshots. */
async function scenario() {
  const former = named("One");
  former.listings[0] = { ...former.listings[0]!, name: "Former" };
  former.listings.push(aListing({ host: "missing.example" }));
  former.scans.push(aScan({ host: "missing.example" }));
  const { folder, store, builds } = await aStore(former, named("Two", { visibility: "blocked" }));
  let copies = 0;
  const copy = () => {
    copies += 1;
    const to = join(folder, `copy-${copies}`);
    cpSync(store, to, { recursive: true });
    return to;
  };
  const made: Call[] = [];
  const whole = copy();
  // The id of a publication depends on its time.
  vi.setSystemTime(new Date());
  onTestFinished(() => void vi.useRealTimers());
  const { id } = await withHook(
    product,
    (call, real) => {
      made.push(call);
      return real();
    },
    () => rollback(whole),
  );
  const answers = await answersIn(whole);
  return { copy, made, commit: commitOf(made), before: builds[1], after: id, answers };
}

it.each(["fails", "dies"])(
  "a rollback that %s at any of its calls leaves the snapshot before or the new one, and can be done again",
  async (how) => {
    const { copy, made, commit, before, after, answers } = await scenario();
    expect(made.length).toBeGreaterThan(20);
    for (const { number, name } of someOf(made, 5)) {
      const store = copy();
      const error = Object.assign(new Error("EIO: planted"), { code: "EIO" });
      const ended = await withHook(
        product,
        (call, real) => {
          if (how === "fails" ? call.number !== number : call.number < number) return real();
          if (call.name === "fsync") return Promise.reject(error);
          throw error;
        },
        () => rollback(store),
      ).catch((thrown: unknown) => thrown);
      const what = `${how} at call ${number}, ${name}`;
      expect(ended, what).toBeInstanceOf(Error);
      const { id, bad } = await verify(store);
      expect(bad).toEqual([]);
      expect(id, what).toBe(number > commit ? after : before);
      if (id === before) expect((await rollback(store)).id).toBe(after);
      expect(await answersIn(store)).toEqual(answers);
      const names = (await readdir(store)).filter((one) => one.startsWith(".new-"));
      expect(names).toEqual([]);
    }
  },
);
