import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Proof } from "../../../src/extras/signing/bodies.js";
import { signing } from "../../../src/extras/signing/edge.js";
import { ProofError, verifyProof } from "../../../src/extras/signing/verify-proof.js";
import { createFetchHandler } from "../../../src/fetch/index.js";
import { build } from "../../../src/publish/build.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { layout } from "../../../src/store/layout.js";
import { withdraw } from "../../../src/upkeep/withdraw.js";
import { expectDescribed } from "../../cli/described.js";
import { crawldex } from "../../cli/spawned.js";
import { chance } from "../../crash/repetitions.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { repeated } from "../../slow.js";
import { publishManifest } from "../../store/forge.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";
import {
  aSignedStore,
  grown,
  proofIn,
  proofOf,
  proofTarget,
  type View,
  viewOf,
  withAbsence,
} from "./proofs.js";

/** A proof with some of its parts changed. */
function changed(text: string, change: (proof: Proof) => unknown): string {
  const body: { data: Proof } = JSON.parse(text);
  change(body.data);
  return JSON.stringify(body);
}

const DOCUMENTS = [
  "/api/standards",
  "/api/categories",
  "/api/tags",
  "/api/openapi.json",
  "/.well-known/api-catalog",
];

describe("a proof", () => {
  it("of every stored answer is verified, after one build and after another that replaced some", async () => {
    const [first, second] = grown();
    const { store, keys, publish } = await aSignedStore(first);
    const publicKeys = [keys.publicKey];
    const steps: string[] = [];
    for (const generation of [1, 2]) {
      if (generation === 2) await publish(second);
      const snapshot = await viewOf(store);
      const reads = first.listings.flatMap(({ host, entitlements }) => [
        ...["report", "enrichment", "report?scan=new"].map((name) => `/api/sites/${host}/${name}`),
        ...(entitlements?.history ? [`/api/sites/${host}/report?scan=old`] : []),
      ]);
      for (const address of [...DOCUMENTS, ...reads]) {
        const { bytes: answer } = await asked(snapshot, address);
        const text = await proofOf(snapshot, address);
        const proven = await verifyProof(text, { publicKeys, answer });
        const sha256 = createHash("sha256").update(answer).digest("hex");
        const { content } = snapshot;
        expect(proven).toMatchObject({ generation, content, address, sha256 });
        expect(proven.directory).toBe("A directory");
        const { steps: made } = proofIn(text);
        steps.push(`${generation} ${made.map(({ step }) => step).join(" ")}`);
      }
    }
    const kinds = [...new Set(steps)].sort();
    expect(kinds.slice(0, 4)).toEqual(["1 document", "1 inclusion", "2 document", "2 inclusion"]);
    // What the last segment may have replaced is not in it.
    expect(kinds).toContain("2 inclusion absence");
  }, 120_000);

  it("with any byte changed is refused", async () => {
    const [first, second] = grown();
    const { store, keys } = await aSignedStore(first, second);
    const snapshot = await viewOf(store);
    const random = chance("proofs");
    for (const address of ["/api/sites/site-1.example/report", "/api/standards"]) {
      const bytes = Buffer.from(await proofOf(snapshot, address));
      const manifestAt = bytes.indexOf('"manifest":');
      for (let tried = 0; tried < repeated(250, 2_000); tried += 1) {
        // Every other time not in the manifest, which is most of a proof.
        const at =
          tried % 2 === 0
            ? Math.floor(random() * bytes.length)
            : Math.floor(random() * (manifestAt + 600)) % bytes.length;
        const place = tried % 2 === 1 && at > manifestAt ? bytes.length - (at - manifestAt) : at;
        const flipped = Buffer.from(bytes);
        flipped[place] = flipped[place]! ^ (1 << Math.floor(random() * 8));
        const text = flipped.toString("utf8");
        await expect(
          verifyProof(text, { publicKeys: [keys.publicKey] }),
          `byte ${place} of ${address}`,
        ).rejects.toThrow(ProofError);
      }
    }
  }, 120_000);

  it("that is cut, swapped or forged is refused with the step that fails", async () => {
    const [first, second] = grown();
    const { store, keys, folder } = await aSignedStore(first, second);
    const snapshot = await viewOf(store);
    const publicKeys = [keys.publicKey];
    const other = await aKeyPair(folder, "other");
    const refused = async (text: string, message: RegExp, options = {}) => {
      const error = await verifyProof(text, { publicKeys, ...options }).catch((why) => why);
      expect(error).toBeInstanceOf(ProofError);
      expect(error.message).toMatch(message);
    };
    const { host, text } = await withAbsence(snapshot, first);
    const another = await proofOf(snapshot, "/api/sites/site-2.example/report");
    const swapped = proofIn(another);
    const document = await proofOf(snapshot, "/api/tags");
    await refused(text.slice(0, -1), /at its form/);
    await refused(` ${text}`, /at its form/);
    await refused("null", /at its form/);
    await refused(text, /at its signature: .*unknown key/, { publicKeys: [other.publicKey] });
    await refused(
      changed(text, (one) => Object.assign(one, { generation: 1 })),
      /at its manifest/,
    );
    const content = "0".repeat(32);
    await refused(
      changed(text, (one) => Object.assign(one, { content })),
      /at its manifest/,
    );
    const sha256 = "0".repeat(64);
    await refused(
      changed(text, (one) => Object.assign(one, { sha256 })),
      /step 1 \(inclusion\)/,
    );
    await refused(
      changed(document, (one) => Object.assign(one, { sha256 })),
      /step 1 \(document\)/,
    );
    const address = "/api/categories";
    await refused(
      changed(document, (one) => Object.assign(one, { address })),
      /step 1 \(document\)/,
    );
    await refused(
      changed(text, (one) => Object.assign(one, { address })),
      /step 1:/,
    );
    await refused(
      changed(text, (one) => Object.assign(one, { address: `/api/sites/${host}/other` })),
      /step 1 \(inclusion\)/,
    );
    await refused(
      changed(text, (one) => one.steps.splice(0, 9, ...swapped.steps)),
      /step 1/,
    );
    await refused(
      changed(text, (one) => one.steps.pop()),
      /step 2: it is missing/,
    );
    await refused(
      changed(text, (one) => one.steps.push(one.steps[1]!)),
      /step 3 \(absence\)/,
    );
    await refused(
      changed(text, (one) => one.steps.reverse()),
      /step 1:/,
    );
    const neighbours = ({ steps: [, absence] }: Proof) =>
      absence?.step === "absence" ? absence.neighbours : [];
    await refused(
      changed(text, (one) => neighbours(one).pop()),
      /step 2 \(absence\)/,
    );
    await refused(
      changed(text, (one) => neighbours(one).shift()),
      /step 2 \(absence\)/,
    );
    await refused(
      changed(text, (one) => neighbours(one).reverse()),
      /form|step 2/,
    );
    await refused(text, /at its answer: .* another sha256/, { answer: Buffer.from("{}") });
    await expect(verifyProof(text, { publicKeys: [] })).rejects.toThrow(TypeError);
  }, 120_000);

  it("of an answer that a later segment has replaced cannot be made from the older segment", async () => {
    const [first, second] = grown();
    const { store, keys, publish } = await aSignedStore(first);
    const address = "/api/sites/site-10.example/report";
    const before = await viewOf(store);
    const old = await proofOf(before, address);
    const { bytes: answer } = await asked(before, address);
    await publish(second);
    const now = await proofOf(await viewOf(store), address);
    const publicKeys = [keys.publicKey];
    // The old proof stays true of the old publication; the new one is not of the old answer.
    expect((await verifyProof(old, { publicKeys, answer })).generation).toBe(1);
    await expect(verifyProof(now, { publicKeys, answer })).rejects.toThrow(/at its answer/);
    const former = proofIn(old);
    const forged = changed(now, (one) => {
      Object.assign(one, { sha256: former.sha256, steps: former.steps });
    });
    await expect(verifyProof(forged, { publicKeys })).rejects.toThrow(/step 2: it is missing/);
    const current = proofIn(now);
    const absent = changed(forged, (one) => {
      const [step] = current.steps;
      if (step?.step !== "inclusion") throw new Error("the new answer has no leaf");
      one.steps.push({ step: "absence", segment: step.segment, neighbours: [] });
    });
    await expect(verifyProof(absent, { publicKeys })).rejects.toThrow(/step 2 \(absence\)/);
  }, 120_000);

  it("is there for no computed answer, no wrong address, no withdrawn host and no unsigned snapshot", async () => {
    const { store, keys } = await aSignedStore(manyListings(4));
    const host = "site-1.example";
    const status = async (view: View, address: string) =>
      (await asked(view, proofTarget(address))).status;
    const before = await viewOf(store);
    const none: [string, number][] = [
      ["/api/sites", 404],
      ["/api/sites/facets", 404],
      ["/nowhere", 404],
      ["/", 400],
      ["/api/sites/nowhere.example/report", 404],
      ["/api/sites/WWW.x/report", 400],
      [`/api/sites/${host}/report?scan=nothing`, 404],
      [`/api/sites/${host}/report?scan=old`, 403],
      [`/api/sites/${host}/report?other=1`, 400],
      ["api/standards", 400],
      [`/api/sites/${host}/report`, 200],
    ];
    for (const [address, expected] of none)
      expect([address, await status(before, address)]).toEqual([address, expected]);
    expect((await asked(before, "/api/proof")).status).toBe(400);
    await withdraw([host], { store, signingKey: keys.secretText });
    const after = await viewOf(store);
    expect(await status(after, `/api/sites/${host}/report`)).toBe(404);
    expect(await status(after, "/api/sites/site-0.example/report")).toBe(200);
    await writeFile(layout.signature(store, after.id), "");
    const broken = await asked(after, proofTarget("/api/tags")).catch(({ name }) => name);
    expect(broken).toBe("SignatureError");
    const { store: unsigned } = await unsignedStore();
    const { status: missing, bytes } = await asked(
      await viewOf(unsigned),
      proofTarget("/api/tags"),
    );
    expect([missing, `${bytes}`]).toEqual([404, expect.stringContaining("is not signed")]);
  }, 120_000);

  it("is the same at an edge, where snapshots have to be signed", async () => {
    const { store, keys } = await aSignedStore(manyListings(4));
    const publicKeys = [keys.publicKey];
    const handler = await createFetchHandler({
      store: folderStore(store),
      extras: [signing({ publicKeys })],
    });
    const snapshot = await viewOf(store);
    for (const address of ["/api/sites/site-2.example/report?scan=old", "/api/standards"]) {
      const answer = await handler(new Request(`https://a.example${proofTarget(address)}`));
      expect(await answer.text()).toBe(await proofOf(snapshot, address));
    }
  });
});

async function unsignedStore() {
  const store = join(await temporaryFolder(), "store");
  await build(await writePublished(await temporaryFolder(), manyListings(2)), { store, jobs: 1 });
  return { store };
}

describe("crawldex verify --proof", () => {
  it("says what is proven, and exits 4 with the reason if nothing is", async () => {
    const { folder, store } = await aSignedStore(manyListings(3));
    const snapshot = await viewOf(store);
    const address = "/api/sites/site-1.example/report";
    const text = await proofOf(snapshot, address);
    await writeFile(join(folder, "proof.json"), text);
    await writeFile(join(folder, "forged.json"), text.replace("site-1", "site-2"));
    await writeFile(join(folder, "answer.json"), (await asked(snapshot, address)).bytes);
    const run = (line: string) => crawldex(`verify ${line}`.split(" "), folder);
    const good = await run("--proof proof.json --public-key key.pub --answer answer.json");
    expect([good.code, good.stderr]).toEqual([0, ""]);
    expect(good.stdout).toContain("proven: generation 1 of A directory");
    expect(good.stdout).toContain(`${address}\n`);
    expect(good.stdout).toContain("answer.json has these bytes\n");
    const json = await run("--proof proof.json --public-key key.pub --json");
    const printed = expectDescribed("verify", json.stdout);
    expect(printed).toMatchObject({ ok: true, generation: 1, address, isAnswerChecked: false });
    const wrong: [string, number, RegExp][] = [
      ["--proof forged.json --public-key key.pub", 4, /fails at its step 1 \(inclusion\)/],
      ["--proof proof.json --public-key key.pub --answer proof.json", 4, /fails at its answer/],
      ["--proof nowhere.json --public-key key.pub", 4, /nowhere\.json of the proof cannot be read/],
      ["--proof proof.json", 2, /needs option '--public-key <file>'/],
      ["--answer answer.json", 2, /needs option '--proof <file>'/],
      ["store --proof proof.json --public-key key.pub", 2, /either a store or a proof/],
    ];
    for (const [line, code, message] of wrong) {
      const failed = await run(line);
      expect([line, failed.code, failed.stdout]).toEqual([line, code, ""]);
      expect(failed.stderr).toMatch(message);
    }
    const failed = await run("--proof forged.json --public-key key.pub --json");
    expect(expectDescribed("verify", failed.stdout).ok).toBe(false);
    expect((await run("store --public-key key.pub")).code).toBe(0);
  }, 120_000);
});

it("crawldex verify finds a manifest that names another tree than that of its answers", async () => {
  const { folder, store } = await aSignedStore(manyListings(3));
  const id = await publishManifest(store, (manifest) => {
    manifest.segments[0]!.answers.root = "0".repeat(64);
  });
  expect(await readFile(layout.manifest(store, id), "utf8")).toContain("0".repeat(64));
  const { code, stderr } = await crawldex(["verify", "store"], folder);
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining("does not name the tree of the answers"),
  ]);
});
