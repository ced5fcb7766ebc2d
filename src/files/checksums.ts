/** The CRC-32 of bytes, unsigned. Finds damage at a tenth of a sha256's cost, but does not detect tampering. */
export { crc32 } from "node:zlib";
