import { describe, expect, it } from "vitest";
import { s3Access, unusedProxy } from "../../../src/extras/remote/address.js";

const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
const OWN = "https://s3.own.example/";
const GENERAL = "https://general.example/";

describe("the store of the environment", () => {
  it.each<[string, Record<string, string>, string | null, string]>([
    ["AWS without variables", {}, null, "us-east-1"],
    ["the general address", { AWS_ENDPOINT_URL: GENERAL }, GENERAL, "us-east-1"],
    [
      "the service's address first",
      { AWS_ENDPOINT_URL: GENERAL, AWS_ENDPOINT_URL_S3: OWN },
      OWN,
      "us-east-1",
    ],
    [
      "the general address if the other is empty",
      { AWS_ENDPOINT_URL: GENERAL, AWS_ENDPOINT_URL_S3: "" },
      GENERAL,
      "us-east-1",
    ],
    [
      "AWS if addresses are to be ignored",
      {
        AWS_ENDPOINT_URL: GENERAL,
        AWS_ENDPOINT_URL_S3: OWN,
        AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true",
      },
      null,
      "us-east-1",
    ],
    ["the default region", { AWS_DEFAULT_REGION: "eu-west-1" }, null, "eu-west-1"],
    ["the region first", { AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "auto" }, null, "auto"],
    [
      "the default region if the other is empty",
      { AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "" },
      null,
      "eu-west-1",
    ],
  ])("is %s", (_, variables, endpoint, region) => {
    const access = s3Access({ ...KEYS, ...variables });
    expect([access.endpoint?.href ?? null, access.region]).toEqual([endpoint, region]);
  });

  it.each(["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"])(
    "has the variable of a bad address named: %s",
    (name) => {
      expect(() => s3Access({ ...KEYS, [name]: "s3.example.com" })).toThrow(
        `${name} must be an address such as`,
      );
    },
  );

  it("has the variable of a bad region named", () => {
    expect(() => s3Access({ ...KEYS, AWS_DEFAULT_REGION: "eu west" })).toThrow(
      "AWS_DEFAULT_REGION has a space",
    );
  });
});

describe("a proxy in the environment", () => {
  const URL = "https://files.example.com:8443/directory";
  const warningOf = (
    environment: Record<string, string>,
    node = "20.19.0",
    url = URL,
    flags: string[] = [],
  ) => unusedProxy(url, { environment, node, flags });

  it.each<[string, Record<string, string>, string]>([
    ["https", { HTTPS_PROXY: "http://proxy:3128" }, URL],
    ["http", { http_proxy: "http://proxy:3128" }, "http://files.example.com/"],
    ["any protocol", { ALL_PROXY: "socks5://proxy" }, URL],
    ["a bucket", { ...KEYS, HTTPS_PROXY: "http://proxy:3128" }, "s3://bucket/prefix"],
    [
      "a bucket elsewhere",
      { ...KEYS, AWS_ENDPOINT_URL: GENERAL, HTTPS_PROXY: "http://proxy" },
      "s3://bucket",
    ],
  ])("that requests do not use gets a warning, for %s", (_, environment, url) => {
    const warning = warningOf(environment, "20.19.0", url);
    const [name = ""] = Object.keys(environment).filter((one) => /proxy/i.test(one));
    const host = url.startsWith("s3:")
      ? /(?:bucket\.s3\.us-east-1\.amazonaws\.com|general\.example)/
      : /files\.example\.com/;
    expect(warning).toMatch(host);
    expect(warning?.startsWith(`${name} is set, but requests go directly to `)).toBe(true);
    expect(warning).toContain("Node.js 20.19.0 cannot use a proxy: install Node.js 24, and set ");
    expect(warning).not.toContain("proxy:3128");
  });

  it.each<[string, Record<string, string>, string]>([
    ["there is none", {}, URL],
    ["it is empty", { HTTPS_PROXY: "" }, URL],
    ["it is for another protocol", { HTTP_PROXY: "http://proxy" }, URL],
    [
      "the host is exempt",
      { HTTPS_PROXY: "http://proxy", NO_PROXY: "localhost, files.example.com" },
      URL,
    ],
    ["its domain is exempt", { HTTPS_PROXY: "http://proxy", no_proxy: ".example.com" }, URL],
    ["its port is exempt", { HTTPS_PROXY: "http://proxy", no_proxy: "*.example.com:8443" }, URL],
    ["all hosts are exempt", { HTTPS_PROXY: "http://proxy", NO_PROXY: "*" }, URL],
    [
      "the bucket has no credentials, which the command reports",
      { HTTPS_PROXY: "http://proxy" },
      "s3://bucket",
    ],
  ])("gets no warning if %s", (_, environment, url) => {
    expect(warningOf(environment, "20.19.0", url)).toBeNull();
  });

  it("is not exempt by the name of another host or port", () => {
    for (const NO_PROXY of [
      "example.org",
      "xfiles.example.com",
      "example.com:443",
      "les.example.com",
    ]) {
      expect(warningOf({ HTTPS_PROXY: "http://proxy", NO_PROXY })).not.toBeNull();
    }
  });

  it("is used by a newer Node.js if that is asked for", () => {
    const environment = { HTTPS_PROXY: "http://proxy" };
    const asked = { ...environment, NODE_USE_ENV_PROXY: "1" };
    for (const node of ["22.21.0", "24.0.0", "26.1.0"]) {
      expect(warningOf(environment, node)).toContain(
        "; set NODE_USE_ENV_PROXY=1 to use the proxy, or",
      );
      expect(warningOf(asked, node)).toBeNull();
      expect(warningOf(environment, node, URL, ["--use-env-proxy"])).toBeNull();
      expect(warningOf({ ...environment, NODE_OPTIONS: "--use-env-proxy" }, node)).toBeNull();
      expect(warningOf({ ALL_PROXY: "http://proxy", NODE_USE_ENV_PROXY: "1" }, node)).toContain(
        "set HTTPS_PROXY and",
      );
    }
    for (const node of ["20.19.0", "22.20.0", "23.11.0"])
      expect(warningOf(asked, node)).toContain("cannot use a proxy");
  });
});
