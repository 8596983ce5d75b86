import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { onboardingWatch } from "@/lib/boot/onboarding-watch";
import { sweepOnce } from "@/lib/watch/watch";
import { sealDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { watchState } from "@/lib/db/tables/watch";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { exportAccountList, readAccounts } from "./list";
import { getBalance, listUnread } from "./queries";
import { noteAccounts } from "./records";

let db: Db;
let service: Harness;
let staffId = "";
let manner: Manner | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  manner = null;
  staffId = await givenStaff(db, "support");
  service = await givenService(
    () => undefined,
    (serve) => (request) => (manner === null ? serve(request) : otherProvider(serve, manner)(request)),
  );
  // The watch uses today's civil dates.
  service.clock.set(Date.now());
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["support"] }));
});

const cpf = (n: number) => completeCpf(String(320_000_100 + n));
const list = (filter: Parameters<typeof readAccounts>[1] = {}) =>
  readAccounts(actorOf("support", staffId, "accounts:read"), filter);
const sweep = () => sweepOnce(onboardingWatch, "aurora");
/** Lets another day begin. */
const aDayLater = () => db.update(watchState).set({ memory: {} });

async function open(n: number): Promise<void> {
  const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(cpf(n)) });
  const { onBoardingId } = AccountRequested.parse(body).data.body;
  await service.control("POST", `/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
}

describe("the list of accounts", () => {
  it("shows the provider's accounts, holders masked, before anyone looks them up", async () => {
    await open(1);
    await sweep();
    const { rows, counts, wholeAt, readSoFar } = await list();
    expect(rows).toMatchObject([
      { kind: "PF", standing: "OPEN", holder: expect.stringMatching(/^\p{L}••• /u), balance: null, balanceAt: null },
    ]);
    expect(rows[0]?.createdAt).not.toBeNull();
    expect([counts.all, counts.open, readSoFar]).toEqual([1, 1, null]);
    expect(wholeAt).not.toBeNull();
    expect(JSON.stringify(await db.select().from(account))).not.toContain(cpf(1));
  });

  it("flags a list before its first read and when the provider repeats a page", async () => {
    expect(await list()).toMatchObject({ wholeAt: null, readSoFar: 0 });
    for (const n of [2, 3, 4]) await open(n);
    manner = { accounts: { pageSize: 2, paging: "first-page" } };
    await sweep();
    expect(await list()).toMatchObject({ wholeAt: null, readSoFar: 2 });
  });

  it("shows the provider's extra fields of an account under their own names", async () => {
    await open(1);
    manner = { openings: "foreign" };
    await sweep();
    expect([(await list()).total, (await listUnread()).length]).toEqual([0, 1]);
  });

  it("reads a different provider's list to its end and shows its words", async () => {
    for (let n = 10; n < 30; n += 1) await open(n);
    manner = strangest;
    await sweep();
    const { counts, wholeAt } = await list();
    expect(counts.all).toBe(20);
    expect(wholeAt).not.toBeNull();
  });

  it("refreshes account states daily, and ignores an older status", async () => {
    await open(5);
    await sweep();
    const [row] = await db.select().from(account);
    const listed = { branch: "", number: "", document: null, holder: "", userId: "", isExposed: null, createdAt: null };
    const accountId = row?.accountId ?? "";
    await noteAccounts("aurora", [{ ...listed, accountId, word: "bloqueada" }], new Date(Date.now() + 1_000));
    expect((await list({ view: "blocked" })).rows).toMatchObject([{ standing: "BLOCKED", statusWord: "bloqueada" }]);
    await noteAccounts("aurora", [{ ...listed, accountId, word: "ATIVA" }], new Date(0));
    expect((await list()).rows).toMatchObject([{ standing: "BLOCKED" }]);
    await db.update(account).set({ toldAt: new Date(0) });
    await aDayLater();
    await sweep();
    expect((await list()).rows).toMatchObject([{ standing: "OPEN" }]);
  });

  it("shows an unknown status as the provider wrote it", async () => {
    const one = {
      accountId: "a-1",
      branch: "1",
      number: "2-3",
      document: cpf(6),
      holder: "",
      userId: "",
      isExposed: null,
      createdAt: null,
    };
    await noteAccounts("aurora", [{ ...one, word: "EM_MIGRACAO" }], new Date());
    expect((await list({ view: "untold" })).rows).toMatchObject([{ standing: "UNKNOWN", statusWord: "EM_MIGRACAO" }]);
  });

  it("keeps an account's last read balance and its time", async () => {
    await open(7);
    await sweep();
    const [row] = await db.select().from(account);
    const read = await getBalance(row?.ref ?? "");
    expect((await list()).rows).toMatchObject([{ balance: read.balance, balanceAt: read.asOf }]);
  });

  it("exports the filtered list, masked and formula-safe, with an audit row", async () => {
    const listed = {
      branch: "0001",
      number: "12-3",
      document: cpf(8),
      holder: "=1+1",
      userId: "",
      isExposed: null,
      createdAt: null,
    };
    await noteAccounts("aurora", [{ ...listed, accountId: "a-1", word: "ATIVA" }], new Date());
    await noteAccounts("aurora", [{ ...listed, accountId: "a-2", word: "ENCERRADA" }], new Date());
    const file = await exportAccountList(actorOf("support", staffId, "statement:export"), { view: "closed" });
    let text = "";
    for await (const part of file.parts) text += part;
    const [, ...lines] = text.trim().split("\r\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("Closed");
    expect(lines[0]).not.toMatch(/(^|;)"?=/);
    expect(text).not.toContain(cpf(8));
    const codes = await db.select({ code: auditEvent.code }).from(auditEvent).where(eq(auditEvent.actor, staffId));
    expect(codes.map(({ code }) => code)).toContain("accounts.export");
  });

  it("exports each of a thousand accounts once, in screen order", async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => {
      const ref = randomUUID();
      const sealed = sealDocument({ table: "account", id: ref }, cpf(9));
      return {
        ref,
        tenant: "aurora",
        accountId: `a-${n}`,
        branch: "1",
        number: `${n}`,
        ...sealed,
        firstSeenAt: new Date(),
      };
    });
    await db.insert(account).values(rows);
    const given = { sort: "number", dir: "asc" } as const;
    const file = await exportAccountList(actorOf("support", staffId, "statement:export"), given);
    let text = "";
    for await (const part of file.parts) text += part;
    const numbers = text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[4]);
    expect([numbers.length, new Set(numbers).size]).toEqual([1_001, 1_001]);
    expect(numbers.slice(0, 3)).toEqual(["0", "1", "10"]);
    expect(file.fileName).toMatch(/^accounts-[\d-]{10}-en\.csv$/);
  });
});
