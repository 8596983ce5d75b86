import { beforeEach, describe, expect, it } from "vitest";
import { type DataKey, dataKey } from "@/lib/settings/keys";
import { resealRound } from "@/lib/privacy/rotation";
import { givenEnv, givenStore } from "@/test/support/console";
import { requireDataKey } from "./canary";
import type { Db } from "./connection";

const own = dataKey(Buffer.alloc(32, 7));
const other = dataKey(Buffer.alloc(32, 8));
const REFUSAL = "DATA_KEY: is not the key that this database was written with";

let db: Db;
beforeEach(async () => {
  givenEnv({ dataKeys: [own] });
  db = await givenStore();
});

const startWith = (...dataKeys: [DataKey, ...DataKey[]]) => {
  givenEnv({ dataKeys });
  return requireDataKey(db);
};

describe("a start", () => {
  it("refuses a start with another key than the first start's", async () => {
    await startWith(own);
    await startWith(own);
    await expect(startWith(other)).rejects.toThrow(REFUSAL);
  });

  it("accepts both keys during a key change, and the new one alone afterwards", async () => {
    await startWith(own);
    await startWith(other, own);
    await resealRound(db);
    await startWith(other);
    await expect(startWith(own)).rejects.toThrow(REFUSAL);
  });
});
