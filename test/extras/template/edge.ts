import { madeContent, readOf } from "../../../src/answer/content.js";
import type { AnswerExtra } from "../../../src/answer/extra.js";
import { PUBLICATION } from "./reads.js";

/** The number of the current publication. What it needs is also at an edge: nothing here imports Node. */
export function publication(): AnswerExtra {
  const read = readOf(PUBLICATION.query, async (_, snapshot) => {
    const { generation } = snapshot.history;
    return madeContent(JSON.stringify({ data: { number: generation } }), snapshot);
  });
  return { name: "publication", reads: { publication: { ...PUBLICATION, read } } };
}
