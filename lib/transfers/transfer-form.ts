import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { accountOf } from "@/lib/accounts/records";
import type { Db } from "@/lib/db/connection";
import { type account, onboarding } from "@/lib/db/tables/customers";
import { AppError } from "@/lib/errors/app-error";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  ExternalOrder,
  InternalOrder,
  type TransferForm,
} from "./inputs";
import { reportedPayee } from "./payees";

type AccountRow = typeof account.$inferSelect;

/** A TED names the paying account's onboarding; null when it is unknown here. */
export async function onboardingIdOf(store: Db, { tenant, accountId }: AccountRow): Promise<string | null> {
  const [row] = await store
    .select({ id: onboarding.onBoardingId })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.accountId, accountId), isNotNull(onboarding.onBoardingId)))
    .orderBy(sql`${onboarding.status} = 'CONFIRMED' desc`, desc(onboarding.seq))
    .limit(1);
  return row?.id ?? null;
}

export type ReadForm =
  | { kind: "INTERNAL"; order: InternalOrder; to: AccountRow }
  | { kind: "EXTERNAL"; order: ExternalOrder; to: null };

async function tedPayeeOf(store: Db, tenant: string, form: Exclude<TransferForm, { kind: "INTERNAL" }>) {
  if (form.kind === "PAYEE") return reportedPayee(store, tenant, form.payee);
  const { document, name, institutionIspb, branchCode, accountCode, bankAccountType } = form;
  const institutionCode = Number(form.institutionCode);
  return { document, name, institutionIspb, institutionCode, branchCode, accountCode, bankAccountType };
}

/** What would be sent to the provider under this intent. */
export async function readTransferForm(
  store: Db,
  tenant: string,
  form: TransferForm,
  named: { intentId: string; isRepeat: boolean; seen: string[] },
): Promise<ReadForm> {
  const from = await accountOf(store, tenant, form.from);
  const { userId, amount } = form;
  if (form.kind === "INTERNAL") {
    const to = await accountOf(store, tenant, form.to);
    const { description } = form;
    const order = {
      ...named,
      userId,
      accountIdFrom: from.accountId,
      accountIdTo: to.accountId,
      amount,
      ...(description !== "" && { description }),
    };
    return { kind: form.kind, order: InternalOrder.parse(order), to };
  }
  const onBoardingId = await onboardingIdOf(store, from);
  if (onBoardingId === null) throw new AppError("conflict", { code: "ted-without-onboarding" });
  const payee = await tedPayeeOf(store, tenant, form);
  const order = { ...named, userId, onBoardingId, idAccount: from.accountId, ...payee, value: amount };
  return { kind: "EXTERNAL", order: ExternalOrder.parse(order), to: null };
}

export const essenceOf = (read: ReadForm): Essence =>
  read.kind === "INTERNAL" ? essenceOfInternal(read.order) : essenceOfExternal(read.order);
