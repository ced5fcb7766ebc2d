import { expect, it } from "vitest";
import { CLICKHOUSE_ADDRESS, clickHouseAccess } from "../../../src/extras/clickhouse/address.js";
import { containing } from "../../../src/extras/clickhouse/sets.js";
import { tablesOf } from "../../../src/extras/clickhouse/tables.js";

it.each([
  ["clickhouse://host", "http://host:8123", "default", "default"],
  ["clickhouse://me@host/db", "http://host:8123", "me", "db"],
  ["clickhouse://a%40b@[::1]:9/x.y-z/", "http://[::1]:9", "a@b", "x.y-z"],
  ["clickhouses://me@host/db", "https://host:8443", "me", "db"],
])(
  "the engine's address %s has a URL, a user and a database; the password is in the environment",
  (...row) => {
    const [address, url, username, database] = row;
    expect(CLICKHOUSE_ADDRESS.accepts(address)).toBe(true);
    const access = { url, username, database };
    expect(clickHouseAccess(address, {})).toEqual({ ...access, password: "" });
    expect(clickHouseAccess(address, { CLICKHOUSE_PASSWORD: "p" })).toEqual({
      ...access,
      password: "p",
    });
  },
);

it.each([
  "",
  "host",
  "http://host/db",
  "clickhouse:",
  "clickhouse:///db",
  "clickhouse://u:secret@host/db",
  "clickhouse://host/a/b",
  "clickhouse://host/a;b",
  "clickhouse://host/db?secure=1",
  "clickhouse://host/db#x",
])("the engine's address is not %j, and no message repeats it", (address) => {
  expect(CLICKHOUSE_ADDRESS.accepts(address)).toBe(false);
  expect(() => clickHouseAccess(address, {})).toThrow(
    new TypeError(`the engine must be ${CLICKHOUSE_ADDRESS.expected}`),
  );
});

it("a text becomes a pattern that contains it literally, folded", () => {
  expect(containing("50%_off\\ Ä")).toBe("%50\\%\\_off\\\\ ä%");
});

it("names of tables are made of a content id alone", () => {
  const names = Object.values(tablesOf("0123456789abcdef".repeat(2)));
  expect(names.every((name) => /^crawldex4_[0-9a-f]{32}_\w+$/.test(name))).toBe(true);
  for (const content of ["", "x", `${"0".repeat(32)}; DROP TABLE t`, "A".repeat(32)]) {
    expect(() => tablesOf(content)).toThrow(TypeError);
  }
});
