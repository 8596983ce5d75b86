import type { ErrorKind } from "@/lib/errors/result";

/** `money`: every write; `people`: reads for a person; `watchers`: the console's own polling. */
export const LANES = ["money", "people", "watchers"] as const;
export type Lane = (typeof LANES)[number];

export type CallKind = ErrorKind | "ok";

export type CallMethod = "GET" | "POST" | "PUT";

/** ANSWERED counts the answers; TOLD and UNTOLD are of an optional part; the others are differences from the contract. */
export type FindingKind = "ANSWERED" | "MISSING" | "RETYPED" | "UNKNOWN" | "TOLD" | "UNTOLD";
