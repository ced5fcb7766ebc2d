import { type GistFile, gistFile } from "../../publish/additions.js";
import { ACCESS, storedAccess } from "./stored-access.js";

/** The index of what reports say about access. */
export const accessFile: GistFile = gistFile(ACCESS, storedAccess);
