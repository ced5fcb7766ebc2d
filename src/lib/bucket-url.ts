/**
 * The address of a bucket in S3 or a service like it. AWS has a host for each bucket, but a name with dots would not
 * match the host's certificate.
 * @param endpoint the address of a service that is not AWS; null for AWS
 */
export function bucketUrl(
  bucket: string,
  { endpoint, region }: { readonly endpoint: URL | null; readonly region: string },
): URL {
  if (endpoint === null && !bucket.includes(".")) {
    return new URL(`https://${bucket}.s3.${region}.amazonaws.com/`);
  }
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com/`);
  base.pathname = `${base.pathname.replace(/(?<!\/)\/*$/, "")}/${bucket}/`;
  return base;
}
