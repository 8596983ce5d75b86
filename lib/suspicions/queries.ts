import { query } from "@/lib/query";
import { readSuspicion, readSuspicions, readSuspicionsOf } from "./records";

/** What only compliance may know of: no other list, file or record names the case of a suspicion. */
export const listSuspicions = query("suspicions:handle", readSuspicions);

export const getSuspicion = query("suspicions:handle", readSuspicion);

export const listSuspicionsOf = query("suspicions:handle", readSuspicionsOf);
