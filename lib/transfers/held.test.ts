import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { approval } from "@/lib/db/tables/approvals";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { getSession } from "@/lib/auth/session";
import { providerIntent } from "@/lib/db/tables/provider";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { sweepOnce } from "@/lib/watch/watch";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { type Manner, otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sessionOf } from "@/test/support/auth";
import type { Harness } from "@/test/support/service/harness";
import type { Account } from "@/test/support/service/transfers";
import {
  externalOrder,
  givenIntents,
  internalOrder,
  openAccount,
  transferExternal,
  transferInternal,
} from "@/test/support/transfers";
import { checkHold } from "./held";
import { listTransfers } from "./queries";
import { findTransfer } from "./records";
import { readTransfers } from "./list";
import { transfer } from "@/lib/db/tables/transfers";
import { areaWatch } from "@/lib/boot/area-watches";

const TENANT = "aurora";

let db: Db;
let service: Harness;
let actor: Actor<"transfers:create">;
let reader: Actor<"transfers:read">;
let parties: [Account, Account];
let manner: Manner = {};
let asked: string[] = [];
/** Replaces the service's statement. */
let statement: unknown[] | null = null;
let ref = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  [manner, asked, statement] = [{}, [], null];
  service = await givenService(
    ({ url }) => asked.push(new URL(url).pathname.split("/").at(-1) ?? ""),
    (serve) => (request) => {
      if (statement === null || !request.url.includes("/history")) return otherProvider(serve, manner)(request);
      return Response.json({ status: 200, data: { transactions: statement, page: 1, totalPages: 1 } });
    },
  );
  givenIntents();
  const staffId = await givenStaff(db, "finance");
  actor = actorOf("finance", staffId, "transfers:create");
  reader = actorOf("finance", staffId, "transfers:read");
  service.clock.set(Date.now());
  parties = [await openAccount(service, 2_000_000), await openAccount(service)];
  const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: parties[0].onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
});

async function intentOf(id: string) {
  const [row] = await db.select().from(providerIntent).where(eq(providerIntent.id, id));
  if (row === undefined) throw new Error("nothing is on record");
  return row;
}

async function held(amount = "12000.00", isRepeat = false) {
  const order = internalOrder(parties, { amount, isRepeat });
  expect(await transferInternal(actor, order)).toMatchObject({ state: "HELD" });
  return { id: order.intentId, antifraudId: (await intentOf(order.intentId)).antifraudId ?? "" };
}

const decide = (antifraudId: string, decision: "RELEASE" | "REJECT") =>
  service.control("POST", `/sandbox/transactions/${antifraudId}`, { decision });
const sweep = () => sweepOnce(areaWatch("transfers:read"), TENANT);
const rowOf = async (id: string) => (await findTransfer(db, reader, id))?.row;
const storedOf = async (id: string) => (await db.select().from(transfer).where(eq(transfer.intentId, id)))[0];

describe("a held transfer", () => {
  it("confirms a held transfer once the provider releases it, with its time", async () => {
    const { id, antifraudId } = await held();
    await service.advance(3_600_000);
    await decide(antifraudId, "RELEASE");
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "CONFIRMED", until: null });
    expect(await storedOf(id)).toMatchObject({ transactionId: antifraudId, decidedAt: new Date(service.clock.now()) });
    const audited = await db.select().from(auditEvent).where(eq(auditEvent.intentId, id));
    expect(audited.map(({ outcome, actor: by }) => `${outcome} by ${by === actor.id ? "person" : by}`)).toEqual([
      "INTENT by person",
      "HELD by person",
      "DONE by watch:transfers",
    ]);
    expect((await readTransfers(reader, {})).counts).toMatchObject({ held: 0, confirmed: 1 });
  });

  it("refuses a held transfer and its proposal once the provider rejects it", async () => {
    const { id, antifraudId } = await held();
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.update(approval).set({ state: "HELD" });
    });
    await decide(antifraudId, "REJECT");
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "REFUSED", code: "hold-rejected" });
    await sweepOnce(approvalsWatch, TENANT);
    expect(await db.select().from(approval)).toMatchObject([{ state: "FAILED", code: "hold-rejected" }]);
  });

  it("refuses a held transfer once its deadline passes undecided", async () => {
    const { id } = await held();
    await service.advance(25 * 3_600_000);
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "REFUSED", code: "hold-expired" });
  });

  it("keeps a transfer held while the provider does, without a call each sweep", async () => {
    const { id } = await held();
    await sweep();
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "HELD" });
    expect(asked.filter((path) => path === "getTransactionById")).toHaveLength(1);
  });

  it("keeps when the provider was last asked while nothing can be asked", async () => {
    const { id } = await held();
    await checkHold(actor, { intentId: id });
    const before = (await storedOf(id))?.returnReadAt;
    expect(before).toBeInstanceOf(Date);
    vi.spyOn(provider, "get").mockRejectedValue(new AppError("unavailable", { code: "circuit-open" }));
    await expect(checkHold(actor, { intentId: id })).rejects.toMatchObject({ details: { code: "circuit-open" } });
    expect((await storedOf(id))?.returnReadAt).toEqual(before);
  });

  it("settles a held TED, too", async () => {
    const order = externalOrder(parties[0], { value: "12000.00" });
    await transferExternal(actor, order);
    await decide((await intentOf(order.intentId)).antifraudId ?? "", "RELEASE");
    await sweep();
    expect(await rowOf(order.intentId)).toMatchObject({ state: "CONFIRMED" });
  });

  it.each<[string, Manner]>([
    ["names its answers in Portuguese", { undocumented: { names: "portuguese", wrapping: "nested" } }],
    ["names the antifraud's id in the statement alone", { history: { ids: "named", order: "oldest", pageSize: 2 } }],
  ])("confirms a transfer held by a provider that %s", async (_, its) => {
    const released = await held();
    const other = await held("13000.00");
    await decide(released.antifraudId, "RELEASE");
    manner = its;
    await sweep();
    expect([(await rowOf(released.id))?.state, (await rowOf(other.id))?.state]).toEqual(["CONFIRMED", "HELD"]);
  });

  it("settles a held transfer when somebody opens its account", async () => {
    const { id, antifraudId } = await held();
    await decide(antifraudId, "RELEASE");
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: actor.id, roles: ["finance"] }));
    expect((await listTransfers({ view: "held", account: ref })).rows).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ state: "CONFIRMED" });
  });

  it("keeps a transfer held beside a merely similar entry, its candidate", async () => {
    const { id, antifraudId } = await held();
    await decide(antifraudId, "RELEASE");
    manner = { history: { ids: "unnamed" } };
    expect(await checkHold(reader, { intentId: id })).toEqual({ isHeld: true });
    expect(await storedOf(id)).toMatchObject({ candidateId: expect.stringMatching(/^own-/) });
    const [listed] = (await readTransfers(reader, { view: "held" })).rows;
    expect(listed).toMatchObject({ state: "HELD", candidateId: expect.stringMatching(/^own-/) });
    const [payer] = await db.select().from(account).where(eq(account.ref, ref));
    expect(payer).toMatchObject({ blockedBalance: "0.00" });
    manner = {};
    expect(await checkHold(reader, { intentId: id })).toEqual({ isHeld: false });
    expect(await storedOf(id)).toMatchObject({ candidateId: null, transactionId: antifraudId });
  });

  it("rejects a held transfer when the statement shows it returned", async () => {
    const { id, antifraudId } = await held();
    const entry = { amount: 12_000, date: new Date().toISOString(), description: "", antifraudId };
    const blocked = { ...entry, transactionId: "b-1", type: "BLOQUEIO", direction: "DEBIT" };
    manner = { history: { ids: "named" } };
    statement = [blocked];
    expect(await checkHold(reader, { intentId: id })).toEqual({ isHeld: true });
    expect(await storedOf(id)).toMatchObject({ candidateId: null });
    statement = [
      { ...blocked, type: "TED" },
      { ...entry, transactionId: "c-1", type: "TED", direction: "CREDIT" },
    ];
    expect(await checkHold(reader, { intentId: id })).toEqual({ isHeld: false });
    expect(await rowOf(id)).toMatchObject({ state: "REFUSED", code: "hold-rejected" });
  });

  it("ignores another transfer's entry of the same amount", async () => {
    const first = await held();
    const second = await held("12000.00", true);
    await decide(first.antifraudId, "RELEASE");
    await db
      .update(transfer)
      .set({ returnReadAt: sql`clock_timestamp()` })
      .where(eq(transfer.intentId, second.id));
    await sweep();
    await checkHold(reader, { intentId: second.id });
    expect(await storedOf(second.id)).toMatchObject({ candidateId: null });
    expect(await rowOf(second.id)).toMatchObject({ state: "HELD" });
  });
});
