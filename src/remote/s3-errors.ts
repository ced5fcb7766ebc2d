import { RemoteError } from "./errors.js";
import type { OpenReply } from "./request.js";
import { PassingFailure } from "./retrying.js";

/** The most bytes of an error's body that are read. */
export const ERROR_MAX = 64 * 1024;
const PASSING_STATUS = [408, 429, 500, 502, 503, 504];
const PASSING_CODES = ["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable"];

/** A failed request, for its message. */
export interface FailedRequest {
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
export async function errorCodeOf(reply: OpenReply): Promise<string> {
  const text = (await reply.start(ERROR_MAX)).toString("utf8");
  return /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(text)?.[1] ?? "";
}

/**
 * The error for an answer that is not a success. The message repeats only the error's code: the rest of the body may
 * hold the access key and parts of the signed request.
 */
export function answerError(reply: OpenReply, code: string, failed: FailedRequest): Error {
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

function remedyFor(reply: OpenReply, code: string, failed: FailedRequest): string | null {
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

function regionOf(reply: OpenReply): string {
  const region = reply.header("x-amz-bucket-region");
  return /^[a-z0-9-]{1,40}$/.test(region) ? `the region ${region}` : "another region";
}

function skewOf(reply: OpenReply, signedAt: string): string {
  const [, day = "", time = ""] = /^(\d{8})T(\d{6})Z$/.exec(signedAt) ?? [];
  const parts = [day.slice(0, 4), day.slice(4, 6), day.slice(6)];
  const clock = [time.slice(0, 2), time.slice(2, 4), time.slice(4)];
  const ours = Date.parse(`${parts.join("-")}T${clock.join(":")}Z`);
  const minutes = Math.round((ours - Date.parse(reply.header("date"))) / 60_000);
  if (Number.isNaN(minutes)) return "not in step with";
  return `${Math.abs(minutes)} minutes ${minutes < 0 ? "behind" : "ahead of"}`;
}
