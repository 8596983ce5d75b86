import { Balance, History, type StatementEntry } from "@/lib/contract/accounts";
import { HeldTransaction } from "@/lib/contract/errors";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { personRequest } from "./accounts";
import { AURORA, type Harness } from "./harness";
import type { Tenant } from "@/service/tenants/load-tenants";

export const INTERNAL = "/v1/bank-accounts/generateInternalTransferRequest";
export const EXTERNAL = "/v1/bank-accounts/generateExternalTransferRequest";

export type Account = { accountId: string; documentNumber: string; onBoardingId: string; tenant: Tenant };

let opened = 0;

/** An open account with its own document and that many reais. */
export async function openAccount(service: Harness, { reais = 0, tenant = AURORA } = {}): Promise<Account> {
  opened += 1;
  const documentNumber = completeCpf(String(100_100_000 + opened * 1_000));
  const created = await service.send("POST", "/v1/bank-accounts/create", {
    body: personRequest(documentNumber),
    tenant,
  });
  const { onBoardingId } = AccountRequested.parse(created.body).data.body;
  await service.advance(4_000);
  const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`;
  const { account } = OnboardingRecord.parse((await service.send("GET", path, { tenant })).body).data.body;
  const accountId = account.accountId ?? "";
  if (reais > 0) await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: reais });
  return { accountId, documentNumber, onBoardingId, tenant };
}

const ofAccount = ({ accountId, documentNumber }: Account) => ({ accountId, documentNumber });

/** The account's balance and its held amount, in reais. */
export async function balanceOf(service: Harness, account: Account): Promise<[balance: string, blocked: string]> {
  const path = `/v1/bank-accounts/balance?${new URLSearchParams(ofAccount(account))}`;
  const { data } = Balance.parse((await service.send("GET", path, { tenant: account.tenant })).body);
  return [data.balance, data.blockedBalance];
}

/** The account's whole statement, newest first. */
export async function statementOf(service: Harness, account: Account): Promise<StatementEntry[]> {
  const period = { initialDate: "2026-01-01", endDate: "2036-12-31", limit: "500" };
  const path = `/v1/bank-accounts/history?${new URLSearchParams({ ...ofAccount(account), ...period })}`;
  return History.parse((await service.send("GET", path, { tenant: account.tenant })).body).data.transactions;
}

type Order = { amount: unknown; key?: string; fields?: Record<string, unknown> };

const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { "Idempotency-Key": key };

/** Requests an internal transfer as the interface words it. */
export function transfer(service: Harness, [from, to]: readonly [Account, Account], { amount, key, fields }: Order) {
  const body = { userId: "user", accountIdFrom: from.accountId, accountIdTo: to.accountId, amount, ...fields };
  return service.send("POST", INTERNAL, { body, headers: keyed(key), tenant: from.tenant });
}

/** Requests a TED as the interface words it. */
export function ted(service: Harness, from: Account, { amount, key, fields }: Order) {
  const recipient = {
    document: completeCpf("765432100"),
    accountCode: "123456",
    branchCode: "0001",
    institutionCode: 1,
    name: "Carlos Pereira",
    bankAccountType: "CACC",
    institutionIspb: "00000000",
  };
  const source = { userId: "user", onBoardingId: from.onBoardingId, idAccount: from.accountId };
  const body = { ...source, ...recipient, value: amount, ...fields };
  return service.send("POST", EXTERNAL, { body, headers: keyed(key), tenant: from.tenant });
}

/** The antifraudId of a held transfer. */
export const heldId = ({ body }: { body: unknown }): string => HeldTransaction.parse(body).antifraudId;
