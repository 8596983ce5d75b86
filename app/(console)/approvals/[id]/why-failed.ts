import type { getTranslations } from "next-intl/server";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { explainCode, explainTold } from "@/lib/errors/explain";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

export function whyFailed({ code, told }: Pick<ApprovalRecord, "code" | "told">, t: Say): string {
  if (code === "case-changed") return t("approvals.caseMoved");
  // The provider's own words go with the sentence of its code.
  const own = code === null || (told?.wasSent === true && told.code === code) ? null : explainCode(code, t);
  return own ?? explainTold(told ?? { code, status: null, said: null, wasSent: false }, t);
}
