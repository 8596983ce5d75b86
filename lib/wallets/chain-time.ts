import { LosslessNumber } from "lossless-json";
import { instantOf } from "@/lib/text/read-time";
import { FIRST_BLOCK } from "./view";

const LATEST = new Date("2200-01-01T00:00:00Z");

const UNITS_PER_MS = [
  { divide: (digits: number) => digits * 1_000, isCoarse: true },
  { divide: (digits: number) => digits, isCoarse: false },
  { divide: (digits: number) => Math.floor(digits / 1_000), isCoarse: false },
  { divide: (digits: number) => Math.floor(digits / 1_000_000), isCoarse: false },
] as const;

export type ChainTime = { at: Date; isCoarse: boolean };

const isPossible = (ms: number) => ms >= FIRST_BLOCK.getTime() && ms < LATEST.getTime();

/** Epoch milliseconds as the interface says; seconds, micro- and nanoseconds by their size, or a written time. Null for anything else. */
export function chainTimeIn(told: unknown): ChainTime | null {
  const text = told instanceof LosslessNumber ? told.value : typeof told === "number" ? String(told) : told;
  if (typeof text !== "string") return null;
  if (!/^\s*\d+(?:\.\d+)?\s*$/.test(text)) {
    const at = instantOf(text);
    return at === null || !isPossible(at.getTime()) ? null : { at, isCoarse: at.getTime() % 1_000 === 0 };
  }
  for (const { divide, isCoarse } of UNITS_PER_MS) {
    const ms = Math.floor(divide(Number(text)));
    if (isPossible(ms)) return { at: new Date(ms), isCoarse: isCoarse && !text.includes(".") };
  }
  return null;
}
