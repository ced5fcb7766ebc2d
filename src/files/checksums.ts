/** The CRC-32 of bytes, unsigned: finds damage at a tenth of a sha256's cost, and finds no ill will. */
export { crc32 } from "node:zlib";
