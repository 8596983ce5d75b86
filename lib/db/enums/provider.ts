import type { ErrorKind } from "@/lib/errors/result";

/** `money`: every write; `people`: reads for a person; `watchers`: the console's own polling. */
export const LANES = ["money", "people", "watchers"] as const;
export type Lane = (typeof LANES)[number];

export type CallKind = ErrorKind | "ok";

export type CallMethod = "GET" | "POST" | "PUT";
