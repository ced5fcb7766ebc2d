import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSigningKey, signManifest } from "../../../src/extras/signing/sign.js";
import { parsePublicKey, verifyManifest } from "../../../src/extras/signing/verify.js";
import { layout, sha256 } from "../../../src/store/layout.js";
import { crawldexProcess } from "../../cli/spawned.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair, hasTool, run, succeeds } from "./keys.js";
import { aSignedStore as aSignedStoreOf, grown, proofOf, viewOf, withAbsence } from "./proofs.js";

const ID = "0123456789abcdef0123456789abcdef";

/** A store whose snapshot `crawldex build` has signed, with copies of its manifest and signature. */
async function aSignedStore() {
  const folder = await temporaryFolder();
  const keys = await aKeyPair(folder);
  const published = await writePublished(join(folder, "published"), manyListings(2));
  const store = join(folder, "store");
  const built = await crawldexProcess(["build", published, "--store", store, "--json"], folder, {
    CRAWLDEX_SIGNING_KEY: keys.secretText,
  });
  const { id } = JSON.parse(built.stdout) as { id: string };
  const manifest = join(folder, "manifest.json");
  await copyFile(layout.manifest(store, id), manifest);
  const signature = join(folder, "manifest.json.minisig");
  await copyFile(layout.signature(store, id), signature);
  return { folder, keys, store, id, manifest, signature };
}

describe.skipIf(!hasTool("minisign"))("minisign", () => {
  it("verifies what crawldex build signs, and prints the generation and the id", async () => {
    const { keys, id, manifest } = await aSignedStore();
    const args = ["-V", "-p", keys.publicKeyFile, "-m", manifest];
    expect(run("minisign", args)).toContain(`Trusted comment: crawldex generation:1 id:${id}`);
    expect(run("minisign", ["-V", "-P", keys.publicKey, "-m", manifest])).toContain("verified");
    await writeFile(manifest, `${await readFile(manifest, "utf8")} `);
    expect(succeeds("minisign", args)).toBe(false);
  });

  it("signs with the secret key that crawldex keygen writes, in both of its forms", async () => {
    const folder = await temporaryFolder();
    const { publicKeyFile, secretKeyFile, parsedKey } = await aKeyPair(folder);
    const file = join(folder, "manifest.json");
    const manifest = Buffer.from("{}\n");
    await writeFile(file, manifest);
    const comment = `crawldex generation:7 id:${ID}`;
    run("minisign", ["-S", "-l", "-s", secretKeyFile, "-m", file, "-t", comment]);
    const read = async () => {
      const signature = await readFile(`${file}.minisig`, "utf8");
      return verifyManifest({ manifest, id: ID, signature }, [parsedKey]);
    };
    expect(await read()).toBe(7);
    run("minisign", ["-S", "-s", secretKeyFile, "-m", file, "-t", comment]);
    expect(succeeds("minisign", ["-V", "-p", publicKeyFile, "-m", file])).toBe(true);
    await expect(read()).rejects.toThrow("is prehashed: minisign -S needs the option -l");
  });

  it("writes keys without a password, with which crawldex signs", async () => {
    const folder = await temporaryFolder();
    const pub = join(folder, "m.pub");
    const key = join(folder, "m.key");
    run("minisign", ["-G", "-W", "-p", pub, "-s", key]);
    const signingKey = parseSigningKey(await readFile(key, "utf8"));
    const publicKey = parsePublicKey(await readFile(pub, "utf8"));
    expect(signingKey.publicKey).toEqual(publicKey);
    const file = join(folder, "manifest.json");
    await writeFile(file, "{}\n");
    await writeFile(`${file}.minisig`, signManifest(Buffer.from("{}\n"), ID, 3, signingKey));
    const said = run("minisign", ["-V", "-p", pub, "-m", file]);
    expect(said).toContain(`Trusted comment: crawldex generation:3 id:${ID}`);
  });

  it("encrypts keys with a password, which crawldex refuses until it is removed as the message says", async () => {
    const folder = await temporaryFolder();
    const pub = join(folder, "m.pub");
    const key = join(folder, "m.key");
    run("minisign", ["-G", "-p", pub, "-s", key], "secret\nsecret\n");
    const encrypted = await readFile(key, "utf8");
    expect(() => parseSigningKey(encrypted)).toThrow(/password .* minisign -C -W -s <file>/);
    run("minisign", ["-C", "-W", "-s", key], "secret\n");
    const { publicKey } = parseSigningKey(await readFile(key, "utf8"));
    expect(publicKey).toEqual(parsePublicKey(await readFile(pub, "utf8")));
  });
});

describe.skipIf(!hasTool("signify-openbsd"))("signify", () => {
  it("verifies what crawldex build signs, with the same two files", async () => {
    const { keys, manifest, signature } = await aSignedStore();
    const args = ["-V", "-p", keys.publicKeyFile, "-x", signature, "-m", manifest];
    expect(run("signify-openbsd", args)).toBe("Signature Verified\n");
    await writeFile(manifest, "{}");
    expect(succeeds("signify-openbsd", args)).toBe(false);
  });
});

describe.skipIf(!hasTool("openssl"))("openssl", () => {
  it("verifies what crawldex build signs, with the commands of the documentation", async () => {
    const { folder, keys, id, store, manifest, signature } = await aSignedStore();
    const page = await readFile(new URL("../../../docs/signing.md", import.meta.url), "utf8");
    const [, script = ""] = /```bash\n([^`]*openssl[^`]*)```/.exec(page) ?? [];
    await mkdir(join(folder, "snapshots", id), { recursive: true });
    await copyFile(layout.manifest(store, id), join(folder, "snapshots", id, "manifest.json"));
    await copyFile(signature, join(folder, "snapshots", id, "manifest.json.minisig"));
    await copyFile(keys.publicKeyFile, join(folder, "crawldex.pub"));
    const verify = () => run("bash", ["-euc", `cd "${folder}"; id=${id}\n${script}`]);
    expect(verify()).toContain("Signature Verified Successfully");
    await writeFile(manifest, "{}");
    await copyFile(manifest, join(folder, "snapshots", id, "manifest.json"));
    expect(verify).toThrow();
  });
});

describe.skipIf(!hasTool("python3") || !hasTool("minisign"))(
  "the script of the documentation",
  () => {
    it("checks proofs of reports and documents, then minisign the manifest, and both refuse others", async () => {
      const [first, second] = grown();
      const { store, keys } = await aSignedStoreOf(first, second);
      const snapshot = await viewOf(store);
      const page = await readFile(new URL("../../../docs/signing.md", import.meta.url), "utf8");
      const [, script = ""] = /```python\n([^`]*)```/.exec(page) ?? [];
      const [, command = ""] =
        /```bash\n(minisign -V [^`]*-m manifest\.json)\n```/.exec(page) ?? [];
      expect(script.split("\n").length).toBeLessThan(45);
      const folder = await temporaryFolder();
      await writeFile(join(folder, "check.py"), script);
      await copyFile(keys.publicKeyFile, join(folder, "crawldex.pub"));
      const check = () =>
        run("bash", ["-euc", `cd "${folder}"; python3 check.py 2> /dev/null; ${command}`]);
      const { host, text } = await withAbsence(snapshot, first);
      const others = [`/api/sites/${host}/enrichment`, "/api/sites/site-10.example/report"];
      for (const address of [`/api/sites/${host}/report`, ...others, "/api/tags"]) {
        const { bytes } = await asked(snapshot, address);
        await writeFile(join(folder, "answer.json"), bytes);
        await writeFile(join(folder, "proof.json"), await proofOf(snapshot, address));
        const said = check();
        expect(said).toContain(
          `the manifest has ${address} with ${sha256(bytes)} in generation 2\n`,
        );
        expect(said).toContain("Trusted comment: crawldex generation:2 id:");
      }
      const { bytes } = await asked(snapshot, `/api/sites/${host}/report`);
      await writeFile(join(folder, "answer.json"), bytes);
      const wrong = [
        text.replace(host, "other.example"),
        text.replace(/"path":\["[0-9a-f]/, '"path":["x'),
        text.replace(/\{"step":"absence".*?\}\]\}/, "").replace("},]", "}]"),
        text.replace(/("neighbours":\[\{[^}]*\}),\{[^}]*\}/, "$1"),
        text.replace('\\"format\\":', '\\"format\\": '),
      ];
      for (const [at, forged] of wrong.entries()) {
        expect([at, forged === text]).toEqual([at, false]);
        await writeFile(join(folder, "proof.json"), forged);
        expect(check, `forged proof ${at}`).toThrow();
      }
    }, 120_000);
  },
);
