import { and, desc, eq, or, type SQL } from "drizzle-orm";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import type { Reader } from "@/service/store/db";
import { bankAccount, onboarding } from "./schema";

export type Onboarding = typeof onboarding.$inferSelect;
export type BankAccount = typeof bankAccount.$inferSelect;
type OnboardingWithAccount = { onboarding: Onboarding; account: BankAccount | null };

const unknownOnboarding = () => notFound("banking account was not found for the onboarding id");

/** Modulo 11 over the serial number, as Brazilian banks print account numbers: `104729-5`. */
export function accountNumber({ serial }: Pick<BankAccount, "serial">): string {
  const sum = Array.from(String(serial).split("").toReversed()).reduce(
    (total, digit, place) => total + Number(digit) * (2 + (place % 8)),
    0,
  );
  return `${serial}-${((11 - (sum % 11)) % 11) % 10}`;
}

/** The `account` of an onboarding record: nulls and empty strings while there is none. */
export function describeAccount({ documentNumber }: Onboarding, account: BankAccount | null) {
  return {
    accountId: account?.id ?? null,
    branch: account?.branch ?? "",
    account: account ? accountNumber(account) : "",
    documentNumber,
  };
}

/** The payload of an onboarding's events; our assumption, the interface does not show one. */
export function describeOnboarding(row: Onboarding, account: BankAccount | null) {
  return {
    onBoardingId: row.id,
    status: row.status,
    account: describeAccount(row, account),
    traceId: row.traceId,
    biometricUrl: row.biometricUrl,
    messages: row.messages,
  };
}

/** The `data` of checkOnboarding (interface: Resources › Onboarding record). */
export function onboardingRecord({ onboarding: row, account }: OnboardingWithAccount) {
  return {
    status: row.status,
    body: {
      clientCode: row.clientId,
      account: describeAccount(row, account),
      traceId: row.traceId,
      biometricUrl: row.biometricUrl,
      ...(row.messages.length > 0 && { messages: row.messages }),
    },
  };
}

/** The newest request that fits. 404 when none does. */
export async function findOnboarding(db: Reader, isMeant: SQL | undefined): Promise<OnboardingWithAccount> {
  const [found] = await db
    .select({ onboarding, account: bankAccount })
    .from(onboarding)
    .leftJoin(bankAccount, eq(bankAccount.onboardingId, onboarding.id))
    .where(isMeant)
    .orderBy(desc(onboarding.sequence))
    .limit(1);
  if (!found) throw unknownOnboarding();
  return found;
}

/** By the id of the request or the holder's document, whose newest request counts. 404 when none matches. */
export async function checkOnboarding({ db, tenant }: Call, idOrDocument: string) {
  const isNamed = or(eq(onboarding.id, idOrDocument), eq(onboarding.documentNumber, idOrDocument));
  return onboardingRecord(await findOnboarding(db, and(eq(onboarding.clientId, tenant.clientId), isNamed)));
}

/** Locks a request, of any tenant, for its provider to decide it. 404 when there is none. */
export async function lockOnboarding(tx: Reader, id: string): Promise<Onboarding> {
  const [row] = await tx.select().from(onboarding).where(eq(onboarding.id, id)).for("update");
  if (!row) throw unknownOnboarding();
  return row;
}
