import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export { type GeneratedKeys, KeyExistsError, keygen } from "./sign.js";
export { ProofError, type Proven, type VerifyProofOptions, verifyProof } from "./verify-proof.js";

installExtras(EXTRAS);
