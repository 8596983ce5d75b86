import { deskIdOf } from "@/lib/auth/view";
import { moveSession, type Session } from "@/lib/auth/sessions";
import { BankError } from "@/lib/bank/answer";

export async function moveTo(session: Session, tenant: string): Promise<string> {
  if (!(await moveSession(session, tenant))) throw new BankError("forbidden", { code: "not-a-member" });
  return deskIdOf({ staffId: session.staffId, tenant });
}
