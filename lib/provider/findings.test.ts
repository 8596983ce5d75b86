import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import accounts from "@/lib/contract/fixtures/accounts.json";
import { READS } from "@/lib/contract/reads";
import type { Db } from "@/lib/db/connection";
import { providerFinding } from "@/lib/db/tables/provider";
import { givenEnv, givenStore } from "@/test/support/console";
import {
  createFindings,
  type Finding,
  findingsIn,
  forgetOldFindings,
  type HeardAnswer,
  writeFindings,
} from "./findings";

const AT = new Date("2026-03-10T12:00:00Z");
const { balance } = accounts;

const heard = (json: unknown, at = AT): HeardAnswer => ({
  tenant: "aurora",
  method: "GET",
  path: READS.getBalance.path,
  documented: READS.getBalance.answer,
  json,
  at,
});

const without = { ...balance, data: { accountId: "a", blockedBalance: "0", saldo: 1 } };

/** Writes when told, and not by time. */
function gathering(refuses = 0) {
  const written: Finding[] = [];
  let left = refuses;
  const findings = createFindings({
    write: async (batch) => {
      if (left > 0) {
        left -= 1;
        throw new Error("the store is away");
      }
      written.push(...batch);
    },
    sleep: () => new Promise(() => undefined),
  });
  return { findings, written };
}

const counts = (written: readonly Finding[]) =>
  written.map(({ is, field, answers }) => [is, field, answers].join(" ").trim()).toSorted();

describe("what answers have in common with the contract", () => {
  it("counts an answer once for each of its differences", async () => {
    const { findings, written } = gathering();
    for (const json of [balance, without, without]) findings.hear(heard(json));
    await findings.end();
    expect(counts(written)).toEqual([
      "ANSWERED  3",
      "MISSING data.balance 2",
      "RETYPED data.blockedBalance 2",
      "UNKNOWN data.saldo 2",
    ]);
  });

  it("compares after the request, not within it", async () => {
    const { findings, written } = gathering();
    let reads = 0;
    const json = { ...balance };
    Object.defineProperty(json, "data", { enumerable: true, get: () => ((reads += 1), balance.data) });
    findings.hear(heard(json));
    expect(reads).toBe(0);
    await setImmediate();
    expect(reads).toBeGreaterThan(0);
    await findings.end();
    expect(counts(written)).toEqual(["ANSWERED  1"]);
  });

  it("keeps the counts while the store refuses them", async () => {
    const { findings, written } = gathering(1);
    findings.hear(heard(without));
    await findings.end();
    expect(written).toEqual([]);
    findings.hear(heard(without));
    await findings.end();
    expect(counts(written)).toContain("MISSING data.balance 2");
  });

  it("keeps at most 60 names a day, and the rest as one", async () => {
    const { findings, written } = gathering();
    const letters = "abcdefghijklmnopqrstuvwxyz";
    for (let n = 0; n < 90; n += 1) {
      const name = `campo_${letters.charAt(n % 26)}${letters.charAt(Math.floor(n / 26))}`;
      findings.hear(heard({ ...balance, data: { ...balance.data, [name]: 1 } }));
    }
    await findings.end();
    const names = written.filter(({ is }) => is === "UNKNOWN");
    expect(names).toHaveLength(61);
    expect(names.find(({ field }) => field === "*")?.answers).toBe(30);
  });

  it("survives an answer that cannot be compared", async () => {
    const { findings, written } = gathering();
    const broken = {
      get data(): never {
        throw new Error("broken");
      },
    };
    findings.hear(heard(broken));
    findings.hear(heard(balance));
    await findings.end();
    expect(counts(written)).toEqual(["ANSWERED  1"]);
  });

  it("tells which optional parts an answer has", () => {
    const history = { ...heard({ data: [{ hash: "a", fee: "1" }] }), ...READS.getWalletHistory, documented: null };
    expect(findingsIn(history).map(({ is, field }) => `${is} ${field}`.trim())).toEqual([
      "ANSWERED",
      "UNTOLD asset",
      "UNTOLD token",
      "TOLD fee",
    ]);
  });
});

const row = (day: string, answers: number): Finding => ({
  tenant: "aurora",
  day,
  operation: "GET /v1/webhooks",
  is: "ANSWERED",
  field: "",
  found: "",
  documented: "",
  answers,
  firstAt: AT,
  lastAt: AT,
});

describe("the findings in the store", () => {
  let db: Db;
  beforeEach(async () => {
    givenEnv();
    db = await givenStore();
  });

  it("adds to the day's counts and forgets after 90 days", async () => {
    const today = new Date().toISOString().slice(0, 10);
    await writeFindings(db, [row("2026-01-01", 1), row(today, 2)]);
    await writeFindings(db, [row(today, 3)]);
    await forgetOldFindings(db);
    expect(await db.select({ answers: providerFinding.answers }).from(providerFinding)).toEqual([{ answers: 5 }]);
  });
});
