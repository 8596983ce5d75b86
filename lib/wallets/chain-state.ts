import type { ChainEntry } from "@/lib/contract/crypto";
import { plainName, stateWordsIn } from "@/lib/contract/open-answer";
import { isStorable } from "@/lib/contract/shared";
import { saysRefused } from "@/lib/contract/told-state";
import type { chainMovement } from "@/lib/db/tables/wallets";
import { FIRST_BLOCK, type MovementState } from "./view";

const FAILED =
  /^(?:revert|fail|err(?:or|o)|falh|reject|rejeit|refus|recus|cancel|drop|discard|descart|invalid|replaced|orphan|outofgas|.*false)/;
const PENDING =
  /^(?:pend|unconfirm|naoconfirm|mempool|queued|broadcast|submitted|processing|emprocess|aguard|waiting|unsettled)/;
const FAILURE_MARKS: ReadonlySet<string> = new Set(["iserror", "haserror", "failed", "isfailed", "falhou", "reverted"]);
const WORD_MAX = 80;

/** The entry's own status, which the interface does not document; null when absent. */
export function chainStatusIn(entry: ChainEntry): string | null {
  const mark = Object.entries(entry).find(
    ([name, value]) => FAILURE_MARKS.has(plainName(name)) && /^(?:1|true)$/i.test(String(value)),
  );
  const words = [...(mark === undefined ? [] : ["failed"]), ...stateWordsIn(entry).flat()];
  const word = words.find((one) => FAILED.test(plainName(one))) ?? words[0] ?? "";
  return word === "" || !isStorable(word) ? null : word.slice(0, WORD_MAX);
}

type Standing = Pick<typeof chainMovement.$inferSelect, "at" | "isDated" | "blockNumber" | "status" | "droppedAt">;

export const hasTime = ({ at, isDated }: Pick<Standing, "at" | "isDated">): boolean => isDated && at >= FIRST_BLOCK;

export function movementState(row: Standing): MovementState {
  const word = plainName(row.status ?? "");
  if (row.droppedAt !== null) return "dropped";
  if (word !== "" && (FAILED.test(word) || saysRefused(word))) return "failed";
  if (!hasTime(row)) return (row.blockNumber ?? "0") === "0" ? "unconfirmed" : "undated";
  return PENDING.test(word) ? "unconfirmed" : "confirmed";
}
