import { execFileSync } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDescribed } from "../../cli/described.js";
import { crawldex } from "../../cli/spawned.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

/** A folder with a published directory and a key pair. */
async function aFolder() {
  const folder = await temporaryFolder();
  const keys = await aKeyPair(folder, "crawldex");
  await writePublished(join(folder, "published"), manyListings(3));
  const run = (line: string, env: NodeJS.ProcessEnv = {}) => crawldex(line.split(" "), folder, env);
  const signing = { CRAWLDEX_SIGNING_KEY: keys.secretText };
  return { folder, keys, run, signing };
}

describe("crawldex keygen", () => {
  it("writes a secret key that only its owner may read and a public one, and prints the public one", async () => {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await crawldex(["keygen"], folder);
    expect([code, stderr]).toEqual([0, ""]);
    expect((await readdir(folder)).sort()).toEqual(["crawldex.key", "crawldex.pub"]);
    const secret = await readFile(join(folder, "crawldex.key"), "utf8");
    const [, publicLine = ""] = (await readFile(join(folder, "crawldex.pub"), "utf8")).split("\n");
    expect((await stat(join(folder, "crawldex.key"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "crawldex.pub"))).mode & 0o777).toBe(0o644);
    expect(stdout).toContain(`public key ${publicLine}\n`);
    expect(stdout).not.toContain(secret.split("\n")[1]?.slice(70, 90));
    const json = await crawldex(["keygen", "other", "--json"], folder);
    const printed = expectDescribed("keygen", json.stdout);
    expect(printed).toEqual({
      ok: true,
      publicKey: expect.stringMatching(/^RW.{54}$/),
      publicKeyFile: "other.pub",
      secretKeyFile: "other.key",
    });
    expect(printed.publicKey).not.toBe(publicLine);
  });

  it("overwrites neither file, and leaves no half of a pair", async () => {
    const { folder, keys, run } = await aFolder();
    const { code, stderr } = await run("keygen");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: crawldex\.key exists and is not overwritten/);
    expect(await readFile(keys.secretKeyFile, "utf8")).toBe(keys.secretText);
    await writeFile(join(folder, "half.pub"), "mine");
    expect((await run("keygen half")).code).toBe(2);
    expect(await readFile(join(folder, "half.pub"), "utf8")).toBe("mine");
    expect(await readdir(folder)).not.toContain("half.key");
    const failed = await run("keygen nowhere/key --json");
    expect([failed.code, expectDescribed("keygen", failed.stdout).ok]).toEqual([1, false]);
    expect((await run("keygen nowhere/key")).stderr).toMatch(/nowhere\/key\.key cannot be written/);
  });
});

describe("CRAWLDEX_SIGNING_KEY", () => {
  it("has build, rollback and withdraw sign, and they print the generation", async () => {
    const { folder, run, signing } = await aFolder();
    const built = await run("build published --store store", signing);
    expect(built.stdout).toMatch(/is current\n.+\nsigned as generation 1\n/);
    await writePublished(join(folder, "published"), manyListings(4));
    const line = signing.CRAWLDEX_SIGNING_KEY.split("\n")[1] ?? "";
    const json = await run("build published --store store --json", {
      CRAWLDEX_SIGNING_KEY: line,
    });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, generation: 2 });
    const back = await run("rollback store", signing);
    expect(back.stdout).toContain("\nsigned as generation 3\n");
    const taken = await run("withdraw example.com --store store", signing);
    expect(taken.stdout).toContain("\nsigned as generation ");
    const verified = await run("verify store --public-key crawldex.pub");
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    expect(verified.stdout).toMatch(/is good: .*, signed as generation \d\n$/);
  });

  it("that is malformed is wrong usage, says what is expected, and is not shown", async () => {
    const { folder, keys, run } = await aFolder();
    const secret = keys.secretText.split("\n")[1] ?? "";
    const damaged = `${secret.slice(0, 120)}AAAA${secret.slice(124)}`;
    for (const key of [damaged, keys.publicKey, ""]) {
      for (const line of ["build published --store store", "rollback store --json"]) {
        const { code, stdout, stderr } = await run(line, { CRAWLDEX_SIGNING_KEY: key });
        expect([line, code]).toEqual([line, 2]);
        expect(stderr).toMatch(/^error: CRAWLDEX_SIGNING_KEY: the signing key (must|is damaged)/);
        for (let at = 0; at < secret.length; at += 12) {
          expect(`${stdout}${stderr}`).not.toContain(secret.slice(at, at + 12));
        }
      }
    }
    expect(await readdir(folder)).not.toContain("store");
  });
});

describe("CRAWLDEX_PUBLIC_KEY", () => {
  it("is named where it is malformed", async () => {
    const env = { CRAWLDEX_PUBLIC_KEY: "no key" };
    const { code, stderr } = await crawldex(["serve", "--wait"], await temporaryFolder(), env);
    expect([code, stderr]).toEqual([2, expect.stringContaining("CRAWLDEX_PUBLIC_KEY")]);
  });
});

describe("crawldex verify --public-key", () => {
  it("takes a key, a file, or the variable with one or two of either", async () => {
    const { folder, keys, run, signing } = await aFolder();
    await run("build published --store store", signing);
    const other = await aKeyPair(folder, "other");
    const publicText = await readFile(keys.publicKeyFile, "utf8");
    const otherText = await readFile(other.publicKeyFile, "utf8");
    const good: [string, string | undefined][] = [
      [`--public-key ${keys.publicKey}`, undefined],
      ["--public-key crawldex.pub", undefined],
      ["--public-key other.pub --public-key crawldex.pub", undefined],
      ["--json", keys.publicKey],
      ["--json", `${other.publicKey}\n${keys.publicKey}`],
      ["--json", `${otherText}${publicText}`],
    ];
    for (const [options, variable] of good) {
      const env = variable === undefined ? {} : { CRAWLDEX_PUBLIC_KEY: variable };
      const { code, stdout } = await run(`verify store ${options}`, env);
      expect([options, code]).toEqual([options, 0]);
      expect(stdout).toMatch(/signed as generation 1|"generation":1/);
    }
  });

  it("exits 4 if the snapshot is not signed with the key, and says why and what to do", async () => {
    const { folder, run, signing } = await aFolder();
    await aKeyPair(folder, "other");
    await run("build published --store unsigned");
    const unsigned = await run("verify unsigned --public-key crawldex.pub");
    expect(unsigned.code).toBe(4);
    expect(unsigned.stderr).toMatch(/is not signed, but .* set CRAWLDEX_SIGNING_KEY/);
    expect(unsigned.stderr).not.toContain("--full");
    await run("build published --store store", signing);
    const { code, stdout } = await run("verify store --public-key other.pub --json");
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      bad: [{ file: expect.stringMatching(/minisig$/), problem: expect.stringMatching(/unknown/) }],
    });
  });

  it("is wrong usage if the key is none, and shows nothing of a secret key that was given instead", async () => {
    const { keys, run } = await aFolder();
    const secret = keys.secretText.split("\n")[1] ?? "";
    const wrong: [string, string | undefined][] = [
      ["--public-key nowhere.pub", undefined],
      ["--public-key crawldex.key", undefined],
      [`--public-key ${secret}`, undefined],
      ["--public-key crawldex.pub".repeat(3).replaceAll("pub--", "pub --"), undefined],
      ["--json", "nonsense"],
      ["--json", secret],
    ];
    for (const [options, variable] of wrong) {
      const env = variable === undefined ? {} : { CRAWLDEX_PUBLIC_KEY: variable };
      const { code, stdout, stderr } = await run(`verify store ${options}`, env);
      expect([options, variable, code]).toEqual([options, variable, 2]);
      expect(stderr).toMatch(/expected (?:a public key|one or two public keys)/);
      expect(`${stdout}${stderr}`).not.toContain(secret.slice(100, 130));
    }
  });

  it("is wrong usage if the key's file is a pipe or too large, and is not read then", async () => {
    const { folder, run } = await aFolder();
    execFileSync("mkfifo", [join(folder, "pipe.pub")]);
    await writeFile(join(folder, "large.pub"), Buffer.alloc(65_537));
    for (const name of ["pipe.pub", "large.pub", "/dev/zero"]) {
      const { code, stderr } = await run(`verify store --public-key ${name}`);
      expect([name, code]).toEqual([name, 2]);
      expect(stderr).toContain(`--public-key: the file ${name} cannot be read: it `);
    }
  });
});
