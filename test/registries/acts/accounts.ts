import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { AppError } from "@/lib/errors/app-error";
import { createIntents } from "@/lib/provider/intents/intent";
import { providerIntent } from "@/lib/db/tables/provider";
import { expectOne } from "@/lib/deposits/expect";
import { handlingVersion, textVersion } from "@/lib/deposits/handled";
import { ExpectOrder } from "@/lib/deposits/inputs";
import { deposit } from "@/lib/db/tables/deposits";
import { startMovementFile } from "@/lib/movements/order";
import { agree } from "@/lib/approvals/decide";
import { approvalPolicy } from "@/lib/db/tables/approvals";
import { lookUp } from "@/lib/accounts/look-up";
import { proposeClosure } from "@/lib/accounts/close";
import { requestAccount } from "@/lib/onboarding/create";
import { accountOrder, typedOrder, typedPerson } from "@/test/support/onboarding";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { internalOrder, openAccount, transferInternal } from "@/test/support/transfers";
import { givenAccount, givenOnboarding } from "@/test/support/privacy";
import { civilDaysAgo } from "@/lib/text/time";
import { positionRound, positionSum } from "@/lib/db/tables/position";
import { onboarding } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { actorOf } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import { STRANGERS } from "@/test/support/service/crypto";
import type { Act, Acts, Stage } from "@/test/support/stage";
import { noteOnOnboarding } from "@/lib/onboarding/follow";
import { savePayee } from "@/lib/transfers/payees";
import { PayeeSaving } from "@/lib/transfers/inputs";
import { makeDepositAddress } from "@/lib/wallets/create";
import { wallet } from "@/lib/db/tables/wallets";
import { middleOf } from "@/lib/wallets/view";
import { ACTIONS } from "@/lib/permission/access";
import { permissionsOf, ROLES } from "@/lib/permission/permission";
import { WRITES } from "@/test/registries/inputs";

const unanswered = () =>
  createIntents({
    post: () => Promise.reject(new AppError("unavailable", { code: "no-answer", mayHaveExecuted: true })),
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
  });

const settling: Act = async ({ db, service, seatOf }) => {
  const by = await seatOf("support");
  const { intentId, ...order } = accountOrder();
  const before = globalThis.retaguardaIntents;
  globalThis.retaguardaIntents = unanswered();
  const creator = actorOf("support", by.staffId, "onboarding:create");
  await requestAccount(creator, { ...order, intentId }).catch(() => undefined);
  globalThis.retaguardaIntents = before;
  const longAgo = sql`clock_timestamp() - interval '1 hour'`;
  await db.update(providerIntent).set({ firstSentAt: longAgo }).where(eq(providerIntent.id, intentId));
  const { documentNumber } = order.person;
  await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(documentNumber) });
  await refreshOnboarding(actorOf("support", by.staffId, "onboarding:create"), documentNumber, { isFresh: true });
  const isIts = inArray(onboarding.documentHash, lookupHashes(documentNumber));
  const [found] = await db.select({ id: onboarding.id }).from(onboarding).where(isIts);
  return { by, input: { intentId, onboardingId: found?.id } };
};

const linking: Act = async ({ db, seatOf }) => {
  const by = await seatOf("finance");
  const intentId = randomUUID();
  const before = globalThis.retaguardaIntents;
  globalThis.retaguardaIntents = unanswered();
  const maker = actorOf("finance", by.staffId, "wallets:create");
  const order = { intentId, family: "EVM", reference: "order-7", customer: null } as const;
  await makeDepositAddress(maker, order).catch(() => undefined);
  globalThis.retaguardaIntents = before;
  const seen = { createdAt: new Date(), seenAt: new Date(), firstSeenAt: sql`clock_timestamp()` };
  const known = { address: "0xA1", family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: true };
  const walletId = `wallet-of-${intentId}`;
  await db.insert(wallet).values({ tenant: "aurora", id: walletId, ...known, ...seen });
  return { by, input: { intentId, walletId } };
};

async function givenWallet(db: Stage["db"], address?: string): Promise<string> {
  const id = randomUUID();
  const at = new Date();
  const coin = { address: address ?? `0x${id}`, family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant: "aurora", id, ...coin, createdAt: at, seenAt: at });
  return id;
}

const EXPECTED = { reference: "PED-2041", amount: "10,5", asset: "USDT", network: "", due: "" };

async function givenExpected(db: Db, staffId: string): Promise<string> {
  await expectOne(actorOf("finance", staffId, "wallets:label"), ExpectOrder.parse(EXPECTED));
  const [row] = await db.select({ id: deposit.id }).from(deposit).limit(1);
  return row?.id ?? "";
}

const UNTOUCHED = { ownerId: null, reason: null, note: null };

const MOVEMENTS = { from: "2026-03-01", to: "2026-03-31", format: "csv", scope: "all", names: "" } as const;

const PROOF = { userAccessToken: "the holder's token", code: "918273" };

/** Support's form to close an empty account. */
async function closureBy({ service }: Stage, staffId: string) {
  const { onBoardingId } = await openAccount(service);
  const found = await lookUp(actorOf("support", staffId, "accounts:read"), { query: onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";
  return { intentId: randomUUID(), ref, userId: "user-1", reason: "A pedido do titular" };
}

const carryingOut =
  (proof: typeof PROOF): Act =>
  async (stage) => {
    const by = await stage.seatOf("support");
    const form = await closureBy(stage, by.staffId);
    const { approvalId } = await proposeClosure(actorOf("support", by.staffId, "accounts:close"), form);
    await agree(stage.approver, approvalId);
    return { by, input: { approvalId, ...proof } };
  };

const closingAlone: Act = async (stage) => {
  const by = await stage.seatOf("support");
  const rule = { kind: "account.close", version: 1, rule: "never", expiresAfterHours: 24 } as const;
  const since = { staffId: stage.admin, createdAt: new Date() };
  await stage.db.insert(approvalPolicy).values({ tenant: "aurora", ...rule, ...since });
  return { by, input: { ...(await closureBy(stage, by.staffId)), ...PROOF } };
};

const CPF = "52998224725";

const taking =
  (use: "shown" | "copied"): Act =>
  async ({ db, seat, person }) => {
    const id = await givenOnboarding(db, CPF);
    await db.update(onboarding).set({ biometricUrl: "https://biometrics.example/1" }).where(eq(onboarding.id, id));
    return { by: await seat(person), input: { id, use } };
  };

/** Two attempts of one document, older first. */
async function givenAttempts({ db }: Stage): Promise<[older: string, newer: string]> {
  const older = await givenOnboarding(db, CPF);
  const begun = { status: "ERROR" as const, firstSeenAt: new Date(0) };
  await db.update(onboarding).set(begun).where(eq(onboarding.id, older));
  return [older, await givenOnboarding(db, CPF)];
}

async function refOf({ parties, makerId }: Stage, place: 0 | 1): Promise<string> {
  const { onBoardingId: query } = parties[place];
  const found = await lookUp(actorOf("finance", makerId, "accounts:read"), { query });
  return "accountRef" in found ? found.accountRef : "";
}

const between = async (stage: Stage) => ({
  kind: "INTERNAL",
  from: await refOf(stage, 0),
  to: await refOf(stage, 1),
  userId: "user-1",
  amount: "10,00",
  description: "",
});

const recipient = {
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: "39053344705",
  name: "João Lima",
};

const ted = async (stage: Stage) => ({
  kind: "EXTERNAL",
  from: await refOf(stage, 0),
  userId: "user-1",
  amount: "10,00",
  ...recipient,
});

const ordering =
  (form: (stage: Stage) => Promise<object>, changes: object = {}): Act =>
  async (stage) => ({
    by: await stage.seatOf("support"),
    input: { ...(await form(stage)), intentId: randomUUID(), seen: [], ...changes },
  });

const revealing =
  (kind: "account" | "onboarding"): Act =>
  async ({ db, seat, person }) => {
    const id = await (kind === "account" ? givenAccount(db, CPF) : givenOnboarding(db, CPF));
    return { by: await seat(person), input: { kind, id, reason: "service", note: "Protocolo 8731, ao telefone" } };
  };

const sendingCoins: Act = async ({ db, seatOf }) => ({
  by: await seatOf("finance"),
  input: {
    walletId: await givenWallet(db, "0x52908400098527886E0F7030069857D2E4169EE7"),
    network: "ETHEREUM",
    token: "",
    to: STRANGERS.ETHEREUM,
    amount: "0,5",
    intentId: randomUUID(),
    middleSix: middleOf(STRANGERS.ETHEREUM).text,
  },
});

async function givenCoin(db: Stage["db"]): Promise<void> {
  const sum = { network: "ETHEREUM", asset: "ETH", token: "", kind: "untold", part: "available" } as const;
  const read = { amount: "1", readings: 1, unread: 0, oldestAt: new Date() };
  await db.insert(positionSum).values({ tenant: "aurora", day: "2024-07-01", ...sum, ...read });
}

const GIVEN = {
  wallet: givenWallet,
  account: (db: Stage["db"]) => givenAccount(db, CPF),
  onboarding: (db: Stage["db"]) => givenOnboarding(db, CPF),
};

/** By somebody who may, with the right input of the registry. */
const OF_RECORDS: Acts = Object.fromEntries(
  Object.entries(WRITES).flatMap(([name, write]) => {
    const of = "about" in write ? write.of : undefined;
    const role = ROLES.find((one) => permissionsOf([one]).some((permission) => permission === ACTIONS[name]?.needs));
    if (!("about" in write) || of === undefined || role === undefined) return [];
    const act: Act = async ({ db, seatOf }) => {
      const id = await GIVEN[of](db);
      return { by: await seatOf(role), input: write.about({ uuid: id, text: id }) };
    };
    return [[name, { [`${name} of a given ${of}`]: act }]];
  }),
);

export const ACCOUNT_ACTS: Acts = {
  ...OF_RECORDS,
  "accounts.lookUpAccount": {
    "a look-up": async ({ seat, person, parties }) => ({
      by: await seat(person),
      input: { query: parties[0].onBoardingId },
    }),
  },
  "accounts.lookUpPixKey": {
    "a look-up of a PIX key": async ({ seatOf, parties }) => ({
      by: await seatOf("support"),
      input: { pixKey: parties[0].documentNumber, reason: "service", note: "Conferido com o cliente." },
    }),
  },
  "wallets.importDepositAddresses": {
    "addresses of a file": async ({ db, seatOf }) => ({
      by: await seatOf("finance"),
      input: { csv: `${await givenWallet(db)};pedido-1` },
    }),
  },
  "wallets.importWalletLabels": {
    "labels of a file": async ({ db, seatOf }) => ({
      by: await seatOf("finance"),
      input: { csv: `${await givenWallet(db)};own;Tesouraria` },
    }),
  },
  "deposits.askWhetherPaid": {
    "a question whether a customer paid": async ({ seatOf }) => ({
      by: await seatOf("support"),
      input: { text: "PED-2041" },
    }),
  },
  "deposits.expectDeposit": {
    "a deposit that is expected": async ({ seatOf }) => ({ by: await seatOf("finance"), input: EXPECTED }),
  },
  "deposits.importExpectedDeposits": {
    "expected deposits of a file": async ({ seatOf }) => ({
      by: await seatOf("finance"),
      input: { csv: "PED-2042;10,5;;;" },
    }),
  },
  "deposits.handleDeposit": {
    "a note to a deposit": async ({ db, seatOf }) => {
      const by = await seatOf("finance");
      const id = await givenExpected(db, by.staffId);
      return {
        by,
        input: { id, owner: "me", reason: "refunded", note: "Devolvido", seen: handlingVersion(UNTOUCHED) },
      };
    },
  },
  "deposits.withdrawExpectedDeposit": {
    "the withdrawal of an expected deposit": async ({ db, seatOf }) => {
      const by = await seatOf("finance");
      const id = await givenExpected(db, by.staffId);
      return { by, input: { id, reason: "mistyped", seen: handlingVersion(UNTOUCHED) } };
    },
  },
  "deposits.importDepositReasons": {
    "notes of a file": async ({ db, seatOf }) => {
      const by = await seatOf("finance");
      const id = await givenExpected(db, by.staffId);
      const row = [id, "Devolvido", "visto", textVersion(UNTOUCHED)].join(";");
      return { by, input: { csv: `ID;Motivo;Observação;Versão\n${row}` } };
    },
  },
  "movements.startMovements": {
    "a file of movements": async (stage) => {
      await closureBy(stage, (await stage.seatOf("support")).staffId);
      return { by: await stage.seatOf("finance"), input: { ...MOVEMENTS, id: randomUUID() } };
    },
  },
  "movements.stopMovements": {
    "the stop of a file of movements": async (stage) => {
      await closureBy(stage, (await stage.seatOf("support")).staffId);
      const by = await stage.seatOf("finance");
      const id = randomUUID();
      await startMovementFile(actorOf("finance", by.staffId, "statement:export"), { ...MOVEMENTS, id });
      return { by, input: { id } };
    },
  },
  "wallets.lookUpOtcTrade": {
    "a look-up of an OTC trade": async ({ seatOf }) => ({ by: await seatOf("finance"), input: { id: "trade-1" } }),
  },
  "wallets.createWallet": {
    "creating a wallet": async ({ seatOf }) => ({
      by: await seatOf("finance"),
      input: { intentId: randomUUID(), family: "EVM", isForward: false, customer: "user-1" },
    }),
  },
  "wallets.createDepositAddress": {
    "creating a deposit address": async ({ seatOf }) => ({
      by: await seatOf("finance"),
      input: { intentId: randomUUID(), family: "EVM", reference: "order-7", customer: "" },
    }),
  },
  "wallets.sendCoins": { "a proposal to send coins": sendingCoins },
  "wallets.reconcileWallet": { "the wallet of a lost request": linking },
  "accounts.proposeAccountClosure": {
    "a proposal to close an account": async (stage) => {
      const by = await stage.seatOf("support");
      return { by, input: await closureBy(stage, by.staffId) };
    },
  },
  "accounts.carryOutAccountClosure": {
    "carrying a closure out": carryingOut(PROOF),
    "a code that the provider refuses": carryingOut({ ...PROOF, code: "000000" }),
  },
  "accounts.closeAccountNow": { "a closure in one go": closingAlone },
  "onboarding.reviewAccount": {
    "a review of an account's form": async ({ seatOf }) => ({
      by: await seatOf("support"),
      input: { ...typedPerson(), from: null },
    }),
  },
  "onboarding.createAccount": {
    "asking for an account": async ({ seatOf }) => ({ by: await seatOf("support"), input: typedOrder() }),
  },
  "onboarding.prefillAccount": {
    "taking what an earlier attempt was told": async ({ db, seatOf }) => ({
      by: await seatOf("support"),
      input: {
        from: await givenOnboarding(db, "52998224725"),
        reason: "service",
        note: "Protocolo 8731, nova tentativa",
      },
    }),
  },
  "onboarding.reconcileAccount": { "the onboarding of a lost request": settling },
  "onboarding.checkOnboarding": {
    "asking about an onboarding": async ({ db, parties, seat, person }) => ({
      by: await seat(person),
      input: { id: await givenOnboarding(db, parties[0].documentNumber) },
    }),
  },
  "onboarding.followOnboarding": {
    "following an onboarding": async ({ parties, seat, person }) => ({
      by: await seat(person),
      input: { query: parties[0].onBoardingId, intentId: randomUUID() },
    }),
  },
  "onboarding.joinAttempts": {
    "linking two attempts": async (stage) => {
      const [older, id] = await givenAttempts(stage);
      return { by: await stage.seat(stage.person), input: { id, older } };
    },
  },
  "onboarding.partAttempts": {
    "parting two attempts": async (stage) => {
      const [previousId, id] = await givenAttempts(stage);
      await stage.db.update(onboarding).set({ previousId }).where(eq(onboarding.id, id));
      return { by: await stage.seat(stage.person), input: { id } };
    },
  },
  "onboarding.retractOnboardingNote": {
    "taking such a note back": async ({ db, seat, person }) => {
      const id = await givenOnboarding(db, CPF);
      const noteId = randomUUID();
      await noteOnOnboarding(actorOf("support", person, "onboarding:follow"), { id, noteId, text: "Engano" });
      return { by: await seat(person), input: { id, noteId } };
    },
  },
  "onboarding.takeBiometricLink": {
    "showing the biometric link": taking("shown"),
    "copying the biometric link": taking("copied"),
  },
  "transfers.checkHold": {
    "asking about a transfer that was released": async ({ db, service, parties, maker, seatOf }) => {
      const order = internalOrder(parties, { amount: "12000.00" });
      await transferInternal(maker, order);
      const [intent] = await db.select().from(providerIntent).where(eq(providerIntent.id, order.intentId));
      await service.control("POST", `/sandbox/transactions/${intent?.antifraudId}`, { decision: "RELEASE" });
      return { by: await seatOf("support"), input: { intentId: order.intentId } };
    },
  },
  "transfers.savePayee": {
    "an account that is saved before it is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: { kind: "INTERNAL", to: await refOf(stage, 1) },
    }),
    "a payee that is saved before it is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: { kind: "EXTERNAL", ...recipient },
    }),
  },
  "transfers.removePayee": {
    "the removal of a payee": async (stage) => {
      const [saved] = (await savePayee(stage.maker, PayeeSaving.parse({ kind: "EXTERNAL", ...recipient }))).payees;
      return { by: await stage.seatOf("support"), input: { payeeId: saved?.id } };
    },
  },
  "transfers.reviewTransfer": {
    "a review that shows whose account is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: await between(stage),
    }),
  },
  "transfers.orderTransfer": {
    "a transfer between accounts by its form": ordering(between),
    "a TED by its form": ordering(ted),
    "a proposal of a transfer": ordering(between, { amount: "5.000,00" }),
  },
  "position.importRates": {
    "rates of a file": async ({ db, seatOf }) => {
      await givenCoin(db);
      return { by: await seatOf("finance"), input: { csv: "ETHEREUM;ETH;;12345;2024-07-01;PTAX" } };
    },
  },
  "position.readAgain": {
    "a position of today that is read again": async ({ db, seatOf }) => {
      const day = civilDaysAgo(0);
      const at = new Date();
      const counts = { total: 1, tried: 1, failed: 0 };
      await db.insert(positionRound).values({ tenant: "aurora", day, startedAt: at, finishedAt: at, ...counts });
      return { by: await seatOf("finance"), input: { day } };
    },
  },
  "position.setRate": {
    "a rate of an asset": async ({ db, seatOf }) => {
      await givenCoin(db);
      const rate = { network: "ETHEREUM", asset: "ETH", token: "", value: "12345.6789" };
      return { by: await seatOf("finance"), input: { ...rate, day: "2024-07-01", source: "PTAX" } };
    },
  },
  "privacy.askToRevealMore": {
    "a request to see more": async ({ seatOf }) => ({
      by: await seatOf("support"),
      input: { intentId: randomUUID(), note: "Fila de reclamações" },
    }),
  },
  "accounts.revealDocument": {
    "showing the document of an account": revealing("account"),
    "showing that of an onboarding": revealing("onboarding"),
  },
};
