import { addressOf, pathIssues, type ReadAddress } from "../../answer/address.js";
import {
  type Content,
  type Failure,
  isFailure,
  madeContent,
  type SnapshotView,
} from "../../answer/content.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { firstWhere } from "../../contract/order.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import {
  answerLine,
  answerLines,
  type TreeLevels,
  treeLevels,
} from "../../store/segments/answer-tree.js";
import { entryAt } from "../../store/segments/directory.js";
import { ByteCache } from "../../store/source.js";
import type { Proof } from "./bodies.js";
import { documentAt, hostIn, isAfter, laterWith } from "./proof-rules.js";
import { type ProofQuery, UNPROVEN } from "./reads.js";
import { canonicalSignature } from "./verify.js";

/* Makes proofs of single answers. `verify-proof.ts` checks them. */

/** The content of `/api/proof`. @throws BadSnapshotError */
export async function proofContent(
  { of }: ProofQuery,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const found = addressOf(of, null);
  if (found.kind !== "read") return { status: 404, error: UNPROVEN.computed };
  const { tabled, parameter, query } = found;
  const issues = query.ok ? pathIssues(tabled.path, parameter) : query.issues;
  if (!query.ok || issues.length > 0) return { status: 400, error: ERROR_TEXTS.invalid, issues };
  const answer = await query.value.contentIn(snapshot, parameter ?? "");
  if (isFailure(answer)) return answer;
  const { sha256 } = answer;
  if (sha256 === undefined) return { status: 404, error: UNPROVEN.computed };
  const signature = await snapshot.signature();
  if (signature === null) return { status: 404, error: UNPROVEN.unsigned };
  const address = canonicalAddress(found, query.value.text);
  const data: Proof = {
    address,
    sha256,
    generation: snapshot.history.generation,
    content: snapshot.content,
    steps: await stepsOf(address, sha256, snapshot),
    manifest: await manifestText(snapshot),
    signature: canonicalSignature(signature, snapshot.id),
  };
  return madeContent(JSON.stringify({ data }), snapshot);
}

function canonicalAddress({ tabled, parameter }: ReadAddress, query: string): string {
  const path = tabled.path.replace("{host}", parameter ?? "");
  return query === "" ? path : `${path}?${query}`;
}

/** The bytes of the manifest's file: a build writes them in this way. */
async function manifestText(snapshot: SnapshotView): Promise<string> {
  const { id, manifest } = snapshot;
  const text = `${JSON.stringify(manifest)}\n`;
  if ((await snapshot.digestOf(text)) === id) return text;
  throw new BadSnapshotError(`${id}/manifest.json was not written by crawldex`);
}

async function stepsOf(
  address: string,
  sha256: string,
  snapshot: SnapshotView,
): Promise<Proof["steps"]> {
  const file = documentAt(address);
  if (file !== undefined) return [{ step: "document", file }];
  const line = answerLine(sha256, address);
  const host = hostIn(line) ?? "";
  const segment = (await snapshot.listings.find(host))?.segment ?? -1;
  const tree = await treeOf(segment, snapshot);
  const steps: Proof["steps"] = [
    { step: "inclusion", segment, ...leafAt(tree, tree.lines.indexOf(line)) },
  ];
  for (const later of laterWith(host, segment, snapshot.manifest.segments)) {
    const other = await treeOf(later, snapshot);
    const next = firstWhere(0, other.lines.length, (at) => isAfter(other.lines[at]!, host));
    const neighbours = [next - 1, next]
      .filter((at) => at >= 0 && at < other.lines.length)
      .map((at) => ({ line: other.lines[at]!, ...leafAt(other, at) }));
    steps.push({ step: "absence", segment: later, neighbours });
  }
  return steps;
}

/** A leaf, and the digests beside its way to the root. */
function leafAt({ levels }: AnswerTree, index: number): { index: number; path: string[] } {
  let at = index;
  const path: string[] = [];
  for (const level of levels) {
    const beside = level[at ^ 1];
    if (beside !== undefined) path.push(beside);
    at >>= 1;
  }
  return { index, path };
}

/** The tree over the answers of a segment. */
interface AnswerTree {
  readonly lines: readonly string[];
  readonly levels: TreeLevels;
}

/** Bytes of trees in memory, and of each line, with its digests. */
const TREES_MAX = 8 * 1024 * 1024;
const LINE_BYTES = 400;
/** Digests that are made without a pause: a millisecond or two. */
const DIGESTS_AT_ONCE = 1_000;

/** By snapshot, freed with it, and by segment. */
const trees = new WeakMap<object, ByteCache<number, AnswerTree>>();

async function treeOf(segment: number, view: SnapshotView): Promise<AnswerTree> {
  const snapshot = view.answering?.snapshot ?? view;
  const known = trees.get(snapshot) ?? new ByteCache<number, AnswerTree>(TREES_MAX);
  trees.set(snapshot, known);
  const cached = known.get(segment);
  if (cached !== undefined) return cached;
  const directory = await snapshot.listings.directory(segment);
  const rows = Array.from(directory.hashes.keys());
  const lines = rows.flatMap((row) => answerLines(entryAt(directory, row)));
  const encoder = new TextEncoder();
  let made = 0;
  const levels = await treeLevels(lines, async (text) => {
    made += 1;
    if (made % DIGESTS_AT_ONCE === 0) await snapshot.pause();
    return snapshot.sha256Of(encoder.encode(text));
  });
  const tree = { lines, levels };
  known.set(segment, tree, lines.length * LINE_BYTES);
  return tree;
}
