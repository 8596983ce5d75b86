import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import type { Actor } from "@/lib/permission/grant";
import { getSession } from "@/lib/auth/session";
import { providerIntent } from "@/lib/db/tables/provider";
import { sweepOnce } from "@/lib/watch/watch";
import type { Db } from "@/lib/db/connection";
import { sessionOf } from "@/test/support/auth";
import { type Manner, otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { type Account, statementOf } from "@/test/support/service/transfers";
import { externalOrder, givenIntents, openAccount, transferExternal } from "@/test/support/transfers";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";
import { getTransfer } from "./queries";
import { transfer } from "@/lib/db/tables/transfers";
import { areaWatch } from "@/lib/boot/area-watches";

let db: Db;
let service: Harness;
let actor: Actor<"transfers:create">;
let payer: Account;
let script: ReturnType<typeof givenIntents>;
let manner: Manner = {};

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  manner = { undocumented: { names: "portuguese", wrapping: "nested" } };
  service = await givenService(
    () => {},
    (serve) => (request) => otherProvider(serve, manner)(request),
  );
  script = givenIntents();
  const staffId = await givenStaff(db, "finance");
  actor = actorOf("finance", staffId, "transfers:create");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["finance"] }));
  payer = await openAccount(service, 2_000);
  service.clock.set(Date.now());
  await lookUp(actorOf("finance", staffId, "accounts:read"), { query: payer.onBoardingId });
});

async function sent(writes: Manner["writes"]) {
  manner = { ...manner, ...(writes && { writes }) };
  const order = externalOrder(payer);
  const failure = await transferExternal(actor, order).then(
    () => null,
    (error: unknown) => error,
  );
  return { id: order.intentId, failure };
}

async function shown(id: string) {
  const record = await getTransfer(id);
  if (record === null) throw new Error("it is not on record");
  return { ...record.row, message: record.message, events: record.events.map(({ kind }) => kind) };
}

async function sweep() {
  await db.update(transfer).set({ returnReadAt: null });
  await sweepOnce(areaWatch("transfers:read"), "aurora");
}

const debits = async () => (await statementOf(service, payer)).filter(({ direction }) => direction === "DEBIT");

describe("a TED that the provider takes in a word of its own", () => {
  it("accepts a TED in the provider's word without confirming it", async () => {
    const word = "NA_FILA_7";
    const { id, failure } = await sent({ word, isIdle: true });
    expect(failure).toMatchObject({ details: { code: "transfer-unconfirmed" } });
    expect(await shown(id)).toMatchObject({ state: "ACCEPTED", code: `unknown:${word}`, events: ["sent", "accepted"] });
    expect((await listUnknownOutcomes()).rows).toMatchObject([{ intentId: id, word, state: "asking" }]);
  });

  it("does not resend an accepted TED while nothing shows it", async () => {
    const { id } = await sent({ word: "PENDENTE", isIdle: true });
    await db.update(providerIntent).set({ nextTryAt: new Date(0) });
    await sweep();
    expect(script.sent).toBe(1);
    expect(await shown(id)).toMatchObject({ state: "ACCEPTED" });
    expect(await debits()).toHaveLength(0);
  });

  it("confirms an accepted TED once the statement shows it", async () => {
    const { id } = await sent({ word: "PENDENTE" });
    await sweep();
    expect(await shown(id)).toMatchObject({ state: "CONFIRMED", events: ["sent", "accepted", "confirmed"] });
    expect(await debits()).toHaveLength(1);
  });

  it.each([
    ["EFETIVADA", "CONFIRMED"],
    ["RECUSADA", "REFUSED"],
    ["EM_ANALISE", "ACCEPTED"],
  ])("finds, by a transaction of %s, the TED %s", async (transactionWord, state) => {
    const { id } = await sent({ word: "PENDENTE" });
    const hidden = { history: { pageSize: 1, paging: "first-page" }, transactionWord } as const;
    await service.control("POST", `/sandbox/bank-accounts/${payer.accountId}/credit`, { amount: 1 });
    manner = { ...manner, ...hidden };
    await sweep();
    expect(await shown(id)).toMatchObject({
      state,
      ...(state === "REFUSED" && { code: `unknown:${transactionWord}` }),
    });
  });

  it("refuses a TED for a known word of refusal, with the provider's reason", async () => {
    const { id, failure } = await sent({ word: "RECUSADA", message: "Conta de destino inexistente", isIdle: true });
    expect(failure).toMatchObject({
      kind: "invalid",
      details: { providerMessage: expect.stringContaining("RECUSADA") },
    });
    const said = { code: "unknown:RECUSADA", message: "Conta de destino inexistente" };
    expect(await shown(id)).toMatchObject({ state: "REFUSED", ...said, events: ["sent", "refused"] });
    expect(await db.select().from(providerIntent).where(eq(providerIntent.id, id))).toMatchObject([
      { mayHaveExecuted: false },
    ]);
  });

  it("confirms a TED for a known word of completion", async () => {
    const { id, failure } = await sent({ word: "LIQUIDADA" });
    expect([failure, (await shown(id)).state]).toEqual([null, "CONFIRMED"]);
  });
});
