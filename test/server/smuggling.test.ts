import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { aPublishedDirectory } from "../fixtures.js";
import { repeated } from "../slow.js";
import { send, sendRaw, sharedService } from "./http.js";

const service = sharedService(aPublishedDirectory());

/** What an attacker wants to be answered as a request of its own. */
const MARKER = "GET /healthz HTTP/1.1\r\nHost: marker\r\nConnection: close\r\n\r\n";
const LENGTH = MARKER.length;
const UPGRADE = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n";
const CHUNKED = `${LENGTH.toString(16)}\r\n${MARKER}\r\n0\r\n\r\n`;

/** A request with these lines; two hosts and the like come by themselves. */
const get = (lines: string, body = MARKER) => `GET /api/tags HTTP/1.1\r\n${lines}\r\n\r\n${body}`;
const post = (lines: string, body = MARKER) =>
  get(`Host: a\r\n${lines}`, body).replace("GET", "POST");

/** Requests by what a proxy may see in them otherwise than we do, with the one status that is answered. */
const VECTORS: readonly (readonly [name: string, bytes: string, status: number])[] = [
  // The four forms that node itself takes for good requests.
  ["two hosts", get("Host: a\r\nHost: b"), 400],
  ["an unknown transfer coding", get("Host: a\r\nTransfer-Encoding: xchunked"), 400],
  [
    "a line feed in a chunk's extension",
    get("Host: a\r\nTransfer-Encoding: chunked", `3;a\nb\r\nxyz\r\n0\r\n\r\n${MARKER}`),
    400,
  ],
  ["a read with a body", get(`Host: a\r\nContent-Length: ${LENGTH}`), 400],

  ["both lengths", get("Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", CHUNKED), 400],
  ["two lengths", get(`Host: a\r\nContent-Length: 0\r\nContent-Length: ${LENGTH}`), 400],
  ["two lengths in one", get(`Host: a\r\nContent-Length: 0, ${LENGTH}`), 400],
  ["a length below nothing", get("Host: a\r\nContent-Length: -1"), 400],
  ["a length with a sign", get(`Host: a\r\nContent-Length: +${LENGTH}`), 400],
  ["a length in hexadecimal", get("Host: a\r\nContent-Length: 0x10"), 400],
  ["a length that overflows", get("Host: a\r\nContent-Length: 18446744073709551616"), 400],
  ["a chunked read", get("Host: a\r\nTransfer-Encoding: chunked", CHUNKED), 400],
  [
    "a chunked read without chunks",
    get("Host: a\r\nTransfer-Encoding: chunked", `0\r\n\r\n${MARKER}`),
    400,
  ],
  ["chunked, then plain", get("Host: a\r\nTransfer-Encoding: chunked, identity"), 400],
  [
    "two transfer codings in two lines",
    get("Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
    400,
  ],
  ["a transfer coding after a tab", get("Host: a\r\nTransfer-Encoding:\tchunked", CHUNKED), 400],
  ["a space before the colon", get(`Host: a\r\nContent-Length : ${LENGTH}`), 400],
  ["a folded line", get(`Host: a\r\nX: y\r\n Content-Length: ${LENGTH}`), 400],
  [
    "line feeds alone",
    `GET /api/tags HTTP/1.1\nHost: a\nContent-Length: ${LENGTH}\n\n${MARKER}`,
    400,
  ],
  ["a carriage return alone", get(`Host: a\r\nX: y\rContent-Length: ${LENGTH}`), 400],
  ["a NUL in a header", get(`Host: a\r\nX: y\0z`), 400],
  ["no host", get("X: y"), 400],
  ["no version", `GET /api/tags\r\n\r\n${MARKER}`, 400],
  // A method that no address has may have a body, which nobody reads.
  ["a method with a body", post(`Content-Length: ${LENGTH}`), 405],
  ["a chunked method", post("Transfer-Encoding: chunked", CHUNKED), 405],
  [
    "a chunked method with a line feed in an extension",
    post("Transfer-Encoding: chunked", `3;a\nb\r\nxyz\r\n0\r\n\r\n${MARKER}`),
    405,
  ],
  ["a method with an unknown transfer coding", post("Transfer-Encoding: xchunked"), 405],
  ["an expectation and a body", get(`Host: a\r\nExpect: x\r\nContent-Length: ${LENGTH}`), 417],
  ["a tunnel", `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n${MARKER}`, 405],
  // An upgrade is ignored (RFC 9110, section 7.8), and so is what only an upgrade would excuse.
  ["an upgrade with a body", get(`Host: a\r\n${UPGRADE}Content-Length: ${LENGTH}`), 400],
  ["an upgrade in chunks", get(`Host: a\r\n${UPGRADE}Transfer-Encoding: chunked`, CHUNKED), 400],
  ["an upgrade of two hosts", get(`Host: a\r\n${UPGRADE}Host: b`), 400],
  [
    "an upgrade with a length behind more headers than are read",
    get(`Host: a\r\n${UPGRADE}${"a: b\r\n".repeat(200)}Content-Length: ${LENGTH}`),
    431,
  ],
  ["an upgrade of a method with a body", post(`${UPGRADE}Content-Length: ${LENGTH}`), 405],
];

/** Statuses of all answers that came, the marker's among them. */
const statusesIn = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.map(Number) ?? [];

describe("each answer belongs to one request, however requests are delimited", () => {
  it.each(VECTORS)("%s", async (_, bytes, status) => {
    const received = await sendRaw(service.server, bytes);
    expect(statusesIn(received)).toEqual([status]);
    expect(received).toMatch(/^Connection: close\r$/im);
    expect(received).toMatch(/^Content-Type: application\/json\r$/im);
    expect(received).toContain('{"error":');
  });

  it("as long as answers are in progress, cached and uncached", async () => {
    const before = ["/api/sites", "/api/tags", "/api/openapi.json", "/nowhere", "/healthz"]
      .map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
      .join("");
    const behind = VECTORS.map(async ([name, bytes, status]) => {
      const statuses = statusesIn(await sendRaw(service.server, before + bytes));
      // A tunnel cannot be asked for behind others: they are cut.
      if (bytes.startsWith("CONNECT")) return expect(statuses.length).toBeLessThanOrEqual(5);
      expect([name, statuses.slice(0, 5)]).toEqual([name, [200, 200, 200, 404, 200]]);
      // What node cannot part from what comes before is no request: it is not answered, it ends all.
      expect([[status], []]).toContainEqual(statuses.slice(5));
    });
    await Promise.all(behind);
  });

  it(
    "a refusal behind answers in progress waits for its turn, and malformed bytes behind it wait for " +
      "both",
    async () => {
      const slow = "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
      const refused = "GET /api/tags HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
      const received = await sendRaw(service.server, `${slow}${refused}no HTTP at all\r\n\r\n`);
      expect(statusesIn(received)).toEqual([200, 400]);
      expect(received).toContain("more than one host");
      expect(received.endsWith("}")).toBe(true);
    },
  );

  it("an upgrade's request is answered like another one, and ends the connection", async () => {
    const received = await sendRaw(service.server, get(`Host: a\r\n${UPGRADE.trimEnd()}`));
    expect(statusesIn(received)).toEqual([200]);
    expect(received).toMatch(/^Connection: close\r$/im);
  });

  it("a marker that is a separate request is answered, so the other tests could see it", async () => {
    const received = await sendRaw(service.server, get("Host: a\r\nContent-Length: 0"));
    expect(statusesIn(received)).toEqual([200, 200]);
  });
});

describe("connections that node hands over without a response", () => {
  it("do not end the process if many tunnels are cut at once", async () => {
    const { host, port } = service.server;
    for (let i = 0; i < repeated(20, 200); i += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, host, () => {
          const bytes =
            "GET /api/sites HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n";
          socket.write(bytes, () => socket.resetAndDestroy());
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve());
      });
    }
    expect((await send(service.server, "/healthz")).status).toBe(200);
  });

  it("are closed if the client of a tunnel never ends", async () => {
    const { host, port } = service.server;
    const cut = await new Promise((resolve) => {
      const socket = connect({ host, port, allowHalfOpen: true }, () => {
        socket.write("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n");
      });
      // Its bytes meet a connection that is not there any more.
      const drip = setInterval(() => socket.write("x"), 50);
      socket.on("error", () => {});
      socket.on("close", () => {
        clearInterval(drip);
        resolve(true);
      });
      socket.resume();
    });
    expect(cut).toBe(true);
  }, 4_000);
});
