import { expect, it } from "vitest";
import { requireReachable } from "../../src/export/hosts.js";
import { SiteRefusedError } from "../../src/export/record.js";

const directory = (siteUrl: string, baseUrl = "https://api.example") => ({
  name: "A directory",
  siteUrl,
  baseUrl,
});

it.each([
  "http://127.0.0.1:3000",
  "http://127.9.9.9",
  "http://localhost:8080",
  "https://site.localhost",
  "http://[::1]:3000/docs",
  "http://0.0.0.0:3000",
])(
  "%s is the machine of whoever opens it: a tree for a host is refused, any other warns",
  (url) => {
    for (const one of [directory(url), directory("https://a.example", url)]) {
      expect(() => requireReachable(one, "nginx", false)).toThrow(SiteRefusedError);
      expect(requireReachable(one, "nginx", true)).toEqual([]);
      expect(requireReachable(one, "plain", false)).toEqual([expect.stringContaining(url)]);
    }
  },
);

it.each([
  "https://a.example",
  "http://10.0.0.1",
  "https://localhost.example",
  "http://127.example",
])("%s is another machine", (url) => {
  expect(requireReachable(directory(url), "s3", false)).toEqual([]);
});
