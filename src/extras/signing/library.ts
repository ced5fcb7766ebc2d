import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export { type GeneratedKeys, KeyExistsError, keygen } from "./sign.js";

installExtras(EXTRAS);
