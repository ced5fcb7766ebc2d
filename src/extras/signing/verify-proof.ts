import { sha256Of } from "../../lib/sha256.js";
import type { Manifest } from "../../store/format.js";
import { STORE_FORMAT } from "../../store/names.js";
import { publicationsUpTo } from "../../store/publications.js";
import { answerLine } from "../../store/segments/answer-tree.js";
import { storedJson } from "../../store/stored-json.js";
import { type AbsenceStep, type Proof, ProofBody } from "./bodies.js";
import { documentAt, hostIn, isAfter, isBefore, laterWith } from "./proof-rules.js";
import { canonicalSignature, parsePublicKeys, verifyManifest } from "./verify.js";

/*
 * Checks proofs of single answers, with web standards alone. The signature is checked first; everything after it is
 * compared with the manifest, which the publisher has signed.
 */

const encoder = new TextEncoder();

/** A proof does not prove what it should. The message names the step that fails. */
export class ProofError extends Error {
  override readonly name = "ProofError";
}

export interface VerifyProofOptions {
  /** One or two public keys of minisign, of which one must have signed. */
  readonly publicKeys: readonly string[];
  /** The bytes of the answer. Default: only its sha256 is proven. */
  readonly answer?: Uint8Array | undefined;
}

/** What a proof has proven: that the publisher has signed a snapshot with this answer. */
export interface Proven {
  /** The name of the directory. */
  readonly directory: string;
  /** The number of the publication. */
  readonly generation: number;
  /** Identifies all that the publication serves. */
  readonly content: string;
  /** The answer's path and query, below the base address of the API. */
  readonly address: string;
  /** The sha256 of the answer's bytes, in hex. */
  readonly sha256: string;
  /** The base address of the API. */
  readonly baseUrl: string;
}

/**
 * Checks a proof that `/api/proof` has answered, without a network.
 * @param text the body of that answer
 * @throws ProofError if it proves nothing; TypeError for wrong keys
 */
export async function verifyProof(
  text: string,
  { publicKeys, answer }: VerifyProofOptions,
): Promise<Proven> {
  const keys = parsePublicKeys(publicKeys);
  const proof = proofIn(text);
  const { address, sha256, generation, content } = proof;
  const bytes = encoder.encode(proof.manifest);
  const id = (await sha256Of(bytes)).slice(0, 32);
  const signed = await verifyManifest(
    { manifest: bytes, id, signature: proof.signature },
    keys,
  ).catch((error: Error) => failed("signature", error.message));
  if (proof.signature !== canonicalSignature(proof.signature, id)) {
    failed("signature", "it has another comment than crawldex writes");
  }
  const manifest: Manifest = storedJson(proof.manifest);
  if (manifest.format !== STORE_FORMAT) {
    failed(
      "manifest",
      `it has format ${manifest.format}, this version of crawldex reads ${STORE_FORMAT}`,
    );
  }
  if (generation !== signed || generation !== publicationsUpTo(manifest).generation) {
    failed("manifest", "it is of another generation than the proof says");
  }
  if (content !== manifest.content) failed("manifest", "it has other content than the proof says");
  await checkSteps(proof, manifest);
  if (answer !== undefined && (await sha256Of(answer)) !== sha256) {
    failed(
      "answer",
      `it is not the one at ${address} that was published: its bytes have another sha256`,
    );
  }
  const { name: directory, baseUrl } = manifest.directory;
  return { directory, baseUrl, generation, content, address, sha256 };
}

/** @throws ProofError */
function failed(step: string, why: string): never {
  throw new ProofError(`the proof fails at its ${step}: ${why}`);
}

/** Reads a proof in its one form, in which no byte is without meaning. */
function proofIn(text: string): Proof {
  const parsed = ProofBody.safeParse(jsonIn(text));
  if (parsed.success && JSON.stringify(parsed.data) === text) return parsed.data.data;
  return failed("form", "it is not the answer of /api/proof, byte for byte; fetch it again");
}

function jsonIn(text: string): unknown {
  try {
    return storedJson(text);
  } catch {
    return null;
  }
}

/** Follows the steps from the answer to the manifest. They must be those that are needed, and no others. */
async function checkSteps({ address, sha256, steps }: Proof, manifest: Manifest): Promise<void> {
  const [first, ...rest] = steps;
  const document = documentAt(address);
  if (first?.step === "document") {
    const found = manifest.public.find(({ file }) => file === document);
    if (rest.length > 0 || first.file !== document || found?.sha256 !== sha256) {
      failed(
        "step 1 (document)",
        `the manifest has no document ${first.file} with this sha256 for ${address}`,
      );
    }
    return;
  }
  const line = answerLine(sha256, address);
  const host = hostIn(line);
  if (first?.step !== "inclusion" || host === undefined || document !== undefined) {
    return failed("step 1", `it does not lead from ${address} to the manifest`);
  }
  await checkLeaf({ line, ...first }, first.segment, manifest, "step 1 (inclusion)");
  const later = laterWith(host, first.segment, manifest.segments);
  for (const [at, absence] of rest.entries()) {
    const step = `step ${at + 2} (absence)`;
    if (absence.step !== "absence" || absence.segment !== later[at]) {
      failed(
        step,
        `segment ${later[at] ?? "none"} should be the next one that cannot have ${host}`,
      );
    }
    await checkAbsence(absence, host, manifest, step);
  }
  if (rest.length < later.length) {
    failed(
      `step ${rest.length + 2}`,
      `it is missing: segment ${later[rest.length]} may have a newer answer`,
    );
  }
}

/** Checks that a segment of the manifest has no answer about a host: no leaf can be between two neighbours. */
async function checkAbsence(
  { segment, neighbours }: AbsenceStep,
  host: string,
  manifest: Manifest,
  step: string,
): Promise<void> {
  for (const leaf of neighbours) await checkLeaf(leaf, segment, manifest, step);
  const size = manifest.segments[segment]?.answers.size ?? 0;
  const before = neighbours.filter(({ line }) => isBefore(line, host));
  const after = neighbours.filter(({ line }) => isAfter(line, host));
  const place = before.at(-1)?.index ?? -1;
  const next = after[0]?.index ?? size;
  const areBeside = before.length <= 1 && after.length <= 1 && next === place + 1;
  if (!areBeside || neighbours.some((leaf, at) => leaf !== [...before, ...after][at])) {
    failed(step, `segment ${segment} may have an answer about ${host} between these neighbours`);
  }
}

interface Leaf {
  readonly line: string;
  readonly index: number;
  readonly path: readonly string[];
}

/** Checks that a line is a leaf of the tree of a segment's answers. */
async function checkLeaf(
  { line, index, path }: Leaf,
  segment: number,
  { segments }: Manifest,
  step: string,
): Promise<void> {
  const tree = segments[segment]?.answers;
  if (tree === undefined || index >= tree.size) {
    return failed(step, `the manifest has no leaf ${index} in segment ${segment}`);
  }
  const beside = [...path];
  let digest = await digestOf(line);
  let at = index;
  for (let size = tree.size; size > 1; size = Math.ceil(size / 2)) {
    if (at % 2 === 1) digest = await digestOf((beside.shift() ?? "") + digest);
    else if (at + 1 < size) digest = await digestOf(digest + (beside.shift() ?? ""));
    at = Math.floor(at / 2);
  }
  if (beside.length > 0 || digest !== tree.root) {
    failed(step, `${line.slice(65)} is not in segment ${segment} of the manifest with this sha256`);
  }
}

function digestOf(text: string): Promise<string> {
  return sha256Of(encoder.encode(text));
}
