import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { crawldex } from "./spawned.js";

describe("an option from the environment", () => {
  it.each([
    ["HOST", "192.0.2.1", "this machine has no address 192.0.2.1: choose another with --host"],
    ["HOST", "host.invalid", "the address host.invalid is unknown: choose another with --host"],
  ])("has its variable named where it is refused: %s=%s", async (name, value, message) => {
    const folder = await temporaryFolder();
    const args = ["serve", "store", "--wait", "--quiet"];
    const where = ` or in the environment variable ${name}, where it comes from`;
    const refused = await crawldex([...args, "--port", "0"], folder, { [name]: value });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`error: ${message}${where} (`);
    const typed = await crawldex([...args, "--host", value], folder, { [name]: "127.0.0.1" });
    expect(typed.stderr).toContain(`error: ${message} (`);
  });

  it.each([
    ["HOST", "a b"],
    ["PORT", "http"],
    ["PORT", ""],
    ["CRAWLDEX_STORE", ""],
  ])("has its variable named where it is malformed: %s=%s", async (name, value) => {
    const { code, stderr } = await crawldex(["serve", "--wait"], await temporaryFolder(), {
      [name]: value,
    });
    expect(code).toBe(2);
    expect(stderr).toContain(name);
  });
});
