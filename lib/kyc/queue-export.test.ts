import { sql } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { beforeEach, describe, expect, it } from "vitest";
import { CSV_START } from "@/lib/text/csv";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { caseLines } from "./queue-export";
import { matching, ordering } from "./queue-filter";
import { KycFilter } from "./inputs";
import { givenCase } from "@/test/support/kyc";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const IN = {
  "pt-BR": {
    locale: "pt-BR",
    say: createTranslator({ locale: "pt-BR", messages: portuguese, namespace: "kyc" }),
  },
  en: { locale: "en", say: createTranslator({ locale: "en", messages: english, namespace: "kyc" }) },
} as const;

const whole = KycFilter.parse({ status: "all" });

type Given = { language?: keyof typeof IN; upTo?: number; meanwhile?: () => Promise<void> };

async function linesOf(filter: KycFilter, { language = "pt-BR", ...given }: Given = {}): Promise<string[]> {
  const { upTo = Number.MAX_SAFE_INTEGER, meanwhile = async () => {} } = given;
  const fits = matching({ tenant: "aurora", id: "00000000-0000-4000-8000-000000000000", dueSoonHours: 8 }, filter);
  const parts: string[] = [];
  for await (const part of caseLines(db, {
    fits,
    orderBy: ordering(filter).orderBy,
    upTo,
    headerOf: (name) => name,
    ...IN[language],
  })) {
    parts.push(part);
    await meanwhile();
  }
  return parts.join("").split("\r\n").filter(Boolean);
}

const idsIn = async (filter: object) =>
  (await linesOf(KycFilter.parse(filter))).slice(1).map((line) => line.split(";")[0]);

describe("the file of the queue", () => {
  it("exports every matching case, masked and formula-safe", async () => {
    const at = new Date("2026-11-21T17:03:22Z");
    const assigneeId = await givenStaff(db, "compliance");
    const clock = { firstSeenAt: at, changedAt: at, waitingSince: at, dueAt: at };
    const one = await givenCase(db, { ...clock, vatNumber: "529.982.247-25", tags: ["pep", "=1+1"], assigneeId });
    await givenCase(db, { kycType: "PJ" });
    await givenCase(db, { tenant: "boreal" });
    const [first, line, ...others] = await linesOf(KycFilter.parse({ type: "PF" }));
    expect(first).toMatch(new RegExp(`^${CSV_START}"id";"document";"type";.+;"due";"decided"$`));
    const time = "21/11/2026 14:03";
    expect(line).toBe(
      `"${one}";"***.982.247-**";"Pessoa física";"Verificação de antecedentes";"Para decidir";"Ana Prado";"pep,' =1+1";"${time}";"${time}";"${time}";"${time}";`,
    );
    expect(others).toEqual([]);
  });

  it("uses the reader's language, and the provider's word for unknown values", async () => {
    const one = await givenCase(db, { kycType: "PJ", process: "unknown:kyc-\u202Eliveness", status: "REPROVED" });
    const [, line] = await linesOf(whole, { language: "en" });
    expect(line).toContain(`"${one}",`);
    expect(line).toContain(',"Company","kyc-[U+202E]liveness","Rejected",');
  });

  it("exports the queue in the screen's order", async () => {
    const later = await givenCase(db, { dueAt: new Date("2026-11-09") });
    const sooner = await givenCase(db, { dueAt: new Date("2026-11-03") });
    expect(await idsIn({ sort: "due" })).toEqual([`"${sooner}"`, `"${later}"`]);
    expect(await idsIn({ sort: "due", order: "desc" })).toEqual([`"${later}"`, `"${sooner}"`]);
  });

  it("exports each case once, even if it changes meanwhile", async () => {
    await db.execute(sql`insert into kyc_case
        (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at)
      select 'aurora', n::text, '***.456.789-**', 'PF', 'kyc-backgroundcheck', 'PENDING', now(), now(), now()
      from generate_series(1, 4100) n`);
    const [last] = await db.select({ seq: sql<string>`max(${kycCase.seq})` }).from(kycCase);
    const touchAll = async () => {
      await db.update(kycCase).set({ changedAt: sql`clock_timestamp()` });
      await givenCase(db);
    };
    const [, ...lines] = await linesOf(whole, { upTo: Number(last?.seq), meanwhile: touchAll });
    expect(new Set(lines.map((line) => line.split(";")[0])).size).toBe(4_100);
    expect(lines).toHaveLength(4_100);
  });
});
