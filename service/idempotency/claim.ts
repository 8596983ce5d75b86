import { createHash } from "node:crypto";
import { stringifyJson } from "@/lib/contract/json";
import { invalid } from "@/service/error";

const KEY_AT_MOST = 255;

/** A request that asks to be carried out once. */
export type Claim = { clientId: string; key: string; fingerprint: string };

type Asked = { operation: string; clientId: string; key: string | undefined; body: unknown };

/** The same value with the fields of its objects in one order, for whoever writes JSON may order them at will. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  // A number kept losslessly is an object of a class.
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}

/** What an Idempotency-Key stands for; null without one. 400 for a key that cannot be kept. */
export function claimOf({ operation, clientId, key, body }: Asked): Claim | null {
  if (key === undefined || key === "") return null;
  if (key.length > KEY_AT_MOST) throw invalid("Idempotency-Key", `must have at most ${KEY_AT_MOST} characters`);
  const fingerprint = createHash("sha256")
    .update(`${operation}\n${stringifyJson(sorted(body))}`)
    .digest("base64url");
  return { clientId, key, fingerprint };
}
