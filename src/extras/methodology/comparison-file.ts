import {
  type Adder,
  latestAdded,
  type PublicationStart,
  writeAdded,
} from "../../publish/additions.js";
import { currentStandards } from "../../publish/rubrics.js";
import { type Comparison, comparisonOf, METHODOLOGY_EXTRA, methodologyOf } from "./comparison.js";

/**
 * Begins the comparison of a publication. It is made from what is published now: a listing that has been removed is not
 * in it. It is not part of a snapshot's `content`, as it depends on earlier publications.
 */
export function beginComparison({ store }: PublicationStart): Adder {
  let bytesWritten = 0;
  return {
    end: async ({ publications, standards, shift }) => {
      const former = await latestAdded<Comparison>(store, METHODOLOGY_EXTRA, publications);
      const comparison = comparisonOf(
        former?.value.methodologies ?? (await methodologiesIn(store)),
        standards,
        shift,
      );
      const text = Buffer.from(JSON.stringify(comparison));
      const { file, written } = await writeAdded(store, METHODOLOGY_EXTRA, text);
      bytesWritten = written;
      return { facts: {}, files: [{ ...file, facts: {} }] };
    },
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** The methodology of the current snapshot, if it was published without this extra. */
async function methodologiesIn(store: string) {
  const standards = await currentStandards(store);
  return standards === null ? [] : [methodologyOf(standards)];
}
