import { AwsV4Signer } from "aws4fetch";
import { sha256 } from "../store/layout.js";
import { type ByteRange, rangeHeader } from "../store/source.js";
import type { BucketAddress, S3Access } from "./address.js";
import { RemoteError } from "./errors.js";
import type { NewObject } from "./objects.js";
import type { GetOptions, Origin } from "./origin.js";
import { isPart, type OpenReply, sendRequest } from "./request.js";
import { PATIENCE, PassingFailure, retrying } from "./retrying.js";
import { answerError, ERROR_MAX, errorCodeOf } from "./s3-errors.js";

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
    use: (reply: OpenReply) => Promise<T>,
    { range, signal }: GetOptions = {},
  ): Promise<T | null> {
    const details = { path, range, permission: "s3:GetObject", signal };
    return this.#send("GET", details, async (reply, failed) => {
      if (reply.status === 200 || isPart(reply, range)) return use(reply);
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
          return (await reply.bytes(PAGE_MAX)).toString("utf8");
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
        await reply.start(ERROR_MAX);
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
    use: (reply: OpenReply, failed: (code: string) => Error) => Promise<T>,
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
    const signedAt = signed.headers.get("x-amz-date") ?? "";
    const request = { ...signed, method, body: object?.open() };
    const name = `${this.name}/${path ?? ""} at ${url.host}`;
    return sendRequest(name, request, signal, (reply) => {
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

/** The address of a bucket. AWS has a host for each; a name with dots would not match the host's certificate. */
export function bucketUrl(bucket: string, { endpoint, region }: S3Access): URL {
  if (endpoint === null && !bucket.includes(".")) {
    return new URL(`https://${bucket}.s3.${region}.amazonaws.com/`);
  }
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com/`);
  base.pathname = `${base.pathname.replace(/\/$/, "")}/${bucket}/`;
  return base;
}

function tagIn(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "");
}
