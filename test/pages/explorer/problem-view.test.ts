import { describe, expect, it } from "vitest";
import { hostMeant, problemOf } from "../../../src/pages/explorer/problem-view.js";

describe("a failed search", () => {
  it.each([
    [{ kind: "status", status: 404 }, true, "unavailable"],
    [{ kind: "status", status: 405 }, true, "unavailable"],
    [{ kind: "body", status: 200 }, true, "unavailable"],
    [{ kind: "status", status: 503 }, true, "failed"],
    [{ kind: "network", status: null }, true, "failed"],
    [{ kind: "timeout" }, true, "failed"],
    [new TypeError("x"), true, "failed"],
    [{ kind: "status", status: 404 }, false, "offline"],
    [undefined, false, "offline"],
  ])("with the error %j (browser online: %s) is %s", (error, isOnline, problem) => {
    expect(problemOf(error, isOnline)).toBe(problem);
  });

  it.each([
    ["example.com", "example.com"],
    [" https://WWW.Example.com:8080/path?x#y ", "example.com"],
    ["http://münchen.example/", "xn--mnchen-3ya.example"],
    ["example.com.", "example.com"],
    ["", null],
    ["a b", null],
    ["javascript:alert(1)", null],
  ])("%j means the host %j", (text, host) => {
    expect(hostMeant(text)).toBe(host);
  });
});
