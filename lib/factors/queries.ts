import { eq } from "drizzle-orm";
import { type Factor, factorOf } from "@/lib/auth/factor";
import { listPasskeys, type Passkey } from "@/lib/auth/passkeys";
import { mustHaveSecondFactor } from "@/lib/auth/sessions";
import { getSession } from "@/lib/auth/session";
import { staff } from "@/lib/store/schema";
import { db } from "@/lib/store/store";

export type OwnFactors = Factor & {
  passkeys: Passkey[];
  /** One of their roles asks for a second factor: it cannot be taken away. */
  isRequired: boolean;
  /** They sign in elsewhere and have no password here. */
  hasPassword: boolean;
};

/** By what the signed-in person gets in; null when nobody is. */
export async function getOwnFactors(): Promise<OwnFactors | null> {
  const session = await getSession();
  if (session === null) return null;
  const store = await db();
  const { staffId } = session;
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return {
    ...(await factorOf(store, staffId)),
    passkeys: await listPasskeys(store, staffId),
    isRequired: await mustHaveSecondFactor(store, staffId),
    hasPassword: typeof person?.passwordHash === "string",
  };
}
