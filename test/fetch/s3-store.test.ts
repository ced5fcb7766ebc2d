import { expect, it, vi } from "vitest";
import { s3Store } from "../../src/fetch/index.js";

const KEYS = { accessKeyId: "id", secretAccessKey: "secret", region: "eu-west-1" };

it.each([
  [
    "a host of its own",
    { bucket: "reports" },
    "https://reports.s3.eu-west-1.amazonaws.com/current.json",
  ],
  [
    "a path if its name has dots, which no certificate of AWS covers",
    { bucket: "reports.example.org", prefix: "live/" },
    "https://s3.eu-west-1.amazonaws.com/reports.example.org/live/current.json",
  ],
  [
    "a path at another service",
    { bucket: "reports", endpoint: "https://s3.example/base/", prefix: "live" },
    "https://s3.example/base/reports/live/current.json",
  ],
])("a bucket has %s", async (_, options, expected) => {
  const addresses: string[] = [];
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    addresses.push(request instanceof Request ? request.url : String(request));
    return new Response("{}");
  });
  try {
    await s3Store({ ...KEYS, ...options })("current.json");
  } finally {
    fetch.mockRestore();
  }
  expect(addresses).toEqual([expected]);
});
