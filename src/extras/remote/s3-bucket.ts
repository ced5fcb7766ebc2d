import { AwsV4Signer } from "aws4fetch";
import { bucketUrl } from "../../lib/bucket-url.js";
import { type Reply, rangeHeader } from "../../lib/http.js";
import { sha256 } from "../../store/layout.js";
import type { ByteRange } from "../../store/source.js";
import type { BucketAddress, S3Access } from "./address.js";
import {
  PASSING_STATUS,
  PATIENCE,
  PassingFailure,
  RemoteError,
  retrying,
  send,
} from "./failures.js";
import type { NewObject } from "./objects.js";
import type { GetOptions, Origin } from "./origin.js";

/** An object in a bucket. */
export interface ListedObject {
  /** Path below the prefix. */
  readonly path: string;
  readonly bytes: number;
  /** The store's time of the last write, in milliseconds since 1970. */
  readonly modified: number;
}

/** A condition of a write: that the object does not exist, or that it has an entity tag. */
export type Condition = { readonly "if-none-match": "*" } | { readonly "if-match": string };

/** The result of a conditional write. `refused`: the store does not accept the condition. */
type Writing = "written" | "unmet" | "refused";

/** Codes with which stores refuse a header that they do not know. */
const REFUSING_CODES = ["NotImplemented", "InvalidArgument", "InvalidRequest"];

/** What a request needs beyond its method. */
interface RequestDetails {
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly condition?: Condition;
  readonly object?: NewObject;
  readonly range?: ByteRange | undefined;
  readonly permission: string;
  readonly signal?: AbortSignal | undefined;
}

const EMPTY_HASH = sha256("");
/** The most bytes of a page of a list: it has 1,000 objects, each with a key of at most 1,024 bytes. */
const PAGE_MAX = 4 * 1024 * 1024;

/** A bucket of an S3-compatible store, or the part of it below a prefix. */
export class S3Bucket implements Origin {
  readonly name: string;
  readonly #base: URL;
  readonly #prefix: string;
  readonly #access: S3Access;
  readonly #keys = new Map<string, ArrayBuffer>();
  #storeTime = Number.NaN;

  constructor({ bucket, prefix }: BucketAddress, access: S3Access) {
    this.name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
    this.#base = bucketUrl(bucket, access);
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#access = access;
  }

  /** The store's time at its last answer, in milliseconds since 1970; NaN if no answer had it. */
  get storeTime(): number {
    return this.#storeTime;
  }

  get<T>(
    path: string,
    use: (reply: Reply) => Promise<T>,
    { range, signal }: GetOptions = {},
  ): Promise<T | null> {
    const details = { path, range, permission: "s3:GetObject", signal };
    return this.#send("GET", details, async (reply, failed) => {
      if (isFile(reply, range)) return use(reply);
      const code = await errorCodeOf(reply);
      // Without the permission to list, a missing object is a forbidden one.
      const isMissing = code === "NoSuchKey" || code === "AccessDenied";
      if (isMissing || (reply.status === 404 && code === "")) return null;
      throw failed(code);
    });
  }

  /**
   * Every object below the prefix, in pages of 1,000. @throws RemoteError if the store has more pages than a list may
   * have
   */
  async list(signal?: AbortSignal): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    let token = "";
    for (let pages = 1; ; pages += 1) {
      const query = {
        "list-type": "2",
        prefix: this.#prefix,
        ...(token === "" ? {} : { "continuation-token": token }),
      };
      const details = { query, permission: "s3:ListBucket", signal };
      const page = await retrying(signal, () =>
        this.#send("GET", details, async (reply, failed) => {
          if (reply.status !== 200) throw failed(await errorCodeOf(reply));
          return new TextDecoder().decode(await reply.bytes(PAGE_MAX));
        }),
      );
      objects.push(...this.#objectsIn(page));
      const next = unescaped(tagIn(page, "NextContinuationToken"));
      if (tagIn(page, "IsTruncated") === "true" && (next === "" || next === token)) {
        throw new RemoteError(`${this.name} continues its list at the wrong position`);
      }
      if (next === "") return objects;
      if (pages >= PATIENCE.listPages) {
        throw new RemoteError(`${this.name} has a list of more than ${pages} pages, the limit`);
      }
      token = next;
    }
  }

  /** Writes an object, with retries. @throws RemoteError */
  put(object: NewObject, signal?: AbortSignal): Promise<void> {
    const details = { object, permission: "s3:PutObject", signal };
    return retrying(signal, () =>
      this.#send("PUT", details, async (reply, failed) => {
        if (reply.status !== 200) throw failed(await errorCodeOf(reply));
        await reply.discard();
      }),
    );
  }

  /**
   * Writes an object on a condition, in one try.
   * @throws PassingFailure if the object may or may not have been written: only reading it can tell. RemoteError
   */
  write(object: NewObject, condition: Condition, signal?: AbortSignal): Promise<Writing> {
    const details = { object, condition, permission: "s3:PutObject", signal };
    return this.#send("PUT", details, async (reply, failed) => {
      const code = await errorCodeOf(reply);
      if (reply.status === 200 || reply.status === 201) return "written";
      // A store may answer 404 to If-Match if the object does not exist.
      if (reply.status === 412 || code === "NoSuchKey") return "unmet";
      if (reply.status === 501 || REFUSING_CODES.includes(code)) return "refused";
      if (reply.status === 409) throw new PassingFailure(`${this.name} answered 409 ${code}`);
      throw failed(code);
    });
  }

  /** Deletes an object, with retries. Does nothing if it does not exist. @throws RemoteError */
  remove(path: string, signal?: AbortSignal): Promise<void> {
    const details = { path, permission: "s3:DeleteObject", signal };
    return retrying(signal, () =>
      this.#send("DELETE", details, async (reply, failed) => {
        const code = await errorCodeOf(reply);
        if (![200, 204].includes(reply.status) && code !== "NoSuchKey") throw failed(code);
      }),
    );
  }

  async #send<T>(
    method: "GET" | "PUT" | "DELETE",
    details: RequestDetails,
    use: (reply: Reply, failed: (code: string) => Error) => Promise<T>,
  ): Promise<T> {
    const { query = {}, condition, object, range, permission, signal } = details;
    const path = details.path ?? object?.path ?? null;
    const url = new URL(this.#base);
    if (path !== null) url.pathname += `${this.#prefix}${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await this.#signed(method, url, {
      ...(object === undefined
        ? { "x-amz-content-sha256": EMPTY_HASH }
        : {
            "content-type": object.contentType,
            "cache-control": object.cacheControl,
            "content-length": `${object.bytes}`,
            "x-amz-content-sha256": object.sha256,
          }),
      ...condition,
      ...rangeHeader(range),
    });
    const target = path ?? "its list";
    const pieces = object?.open();
    const signedAt = signed.headers.get("x-amz-date") ?? "";
    const request = {
      name: `${this.name}/${path ?? ""} at ${url.host}`,
      url: signed.url,
      method,
      headers: Object.fromEntries(signed.headers),
      body: pieces && ((onByte: () => void) => ReadableStream.from(noted(pieces, onByte))),
      signal,
    };
    return send(request, (reply) => {
      const time = Date.parse(reply.header("date"));
      if (!Number.isNaN(time)) this.#storeTime = time;
      const failed = { bucket: this.name, permission, target, signedAt };
      return use(reply, (code) => answerError(reply, code, failed));
    });
  }

  #signed(method: string, url: URL, headers: Record<string, string>) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#access;
    return new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: "s3",
      cache: this.#keys,
    }).sign();
  }

  /** Reads a page of the list. Keys that need escapes in XML are not ours. */
  *#objectsIn(page: string): Generator<ListedObject> {
    for (const contents of page.split("<Contents>").slice(1)) {
      if (!contents.includes("</Contents>")) continue;
      const key = tagIn(contents, "Key");
      if (!key.startsWith(this.#prefix)) continue;
      const bytes = Number(tagIn(contents, "Size"));
      const modified = Date.parse(tagIn(contents, "LastModified"));
      yield { path: key.slice(this.#prefix.length), bytes, modified };
    }
  }
}

/** Whether a reply has the file, or the part of it that was asked for. */
export function isFile({ status }: Reply, range: ByteRange | undefined): boolean {
  return status === 200 || (range !== undefined && status === 206);
}

/** @param onByte called for each piece that is sent */
async function* noted(pieces: AsyncIterable<Uint8Array>, onByte: () => void) {
  for await (const piece of pieces) {
    onByte();
    yield piece;
  }
}

function tagIn(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "");
}

/** The most bytes of an error's body that are read. */
const ERROR_MAX = 64 * 1024;
const PASSING_CODES = ["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable"];

/** A failed request, for its message. */
interface FailedRequest {
  /** The bucket, as `s3://bucket/prefix`. */
  readonly bucket: string;
  /** The permission that the request needs, such as `s3:PutObject`. */
  readonly permission: string;
  /** The object's path, or `its list`. */
  readonly target: string;
  /** The time at which the request was signed, as in `x-amz-date`. */
  readonly signedAt: string;
}

/** The store's own code for an error, such as `NoSuchKey`; "" if the body has none. */
async function errorCodeOf(reply: Reply): Promise<string> {
  return (
    /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(
      Buffer.from(await reply.start(ERROR_MAX)).toString(),
    )?.[1] ?? ""
  );
}

/**
 * The error for an answer that is not a success. The message repeats only the error's code: the rest of the body may
 * hold the access key and parts of the signed request.
 */
function answerError(reply: Reply, code: string, failed: FailedRequest): Error {
  const { bucket, target } = failed;
  const answer = `${bucket} answered ${reply.status}${code === "" ? "" : ` ${code}`} for ${target}`;
  if (PASSING_STATUS.includes(reply.status) || PASSING_CODES.includes(code)) {
    return new PassingFailure(answer);
  }
  const remedy = remedyFor(reply, code, failed);
  return new RemoteError(remedy === null ? answer : `${answer}: ${remedy}`);
}

/** What to do about an error, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId:
    "it does not know the access key; check AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL",
  SignatureDoesNotMatch:
    "the secret does not belong to the access key; check AWS_SECRET_ACCESS_KEY",
  ExpiredToken: "the session has expired; get new credentials",
  InvalidToken: "the session's token is wrong; get new credentials",
  NoSuchBucket:
    "there is no bucket with this name; create it, or check the name and AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL",
};
const OTHER_REGION = [
  "AuthorizationHeaderMalformed",
  "PermanentRedirect",
  "TemporaryRedirect",
  "IllegalLocationConstraintException",
];

function remedyFor(reply: Reply, code: string, failed: FailedRequest): string | null {
  if (code === "RequestTimeTooSkewed") {
    return `this machine's clock is ${skewOf(reply, failed.signedAt)} the store's; set the clock`;
  }
  if (OTHER_REGION.includes(code)) {
    return `the bucket is in ${regionOf(reply)}; set AWS_REGION to it`;
  }
  const isForbidden = reply.status === 401 || reply.status === 403;
  const permission = `these credentials may not do this; they need the permission ${failed.permission}`;
  return REMEDIES[code] ?? (isForbidden ? permission : null);
}

function regionOf(reply: Reply): string {
  const region = reply.header("x-amz-bucket-region");
  return /^[a-z0-9-]{1,40}$/.test(region) ? `the region ${region}` : "another region";
}

function skewOf(reply: Reply, signedAt: string): string {
  const [, day = "", time = ""] = /^(\d{8})T(\d{6})Z$/.exec(signedAt) ?? [];
  const parts = [day.slice(0, 4), day.slice(4, 6), day.slice(6)];
  const clock = [time.slice(0, 2), time.slice(2, 4), time.slice(4)];
  const ours = Date.parse(`${parts.join("-")}T${clock.join(":")}Z`);
  const minutes = Math.round((ours - Date.parse(reply.header("date"))) / 60_000);
  if (Number.isNaN(minutes)) return "not in step with";
  return `${Math.abs(minutes)} minutes ${minutes < 0 ? "behind" : "ahead of"}`;
}
