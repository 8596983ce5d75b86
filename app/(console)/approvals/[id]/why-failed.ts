import type { getTranslations } from "next-intl/server";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { explainCode } from "@/lib/errors/explain";
import { providerText } from "@/lib/text/provider-word";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

/** Our sentence for the code, else the code as the provider wrote it, else what its status says; empty where nothing does. */
export function whyFailed({ code, status }: Pick<ApprovalRecord, "code" | "status">, t: Say): string {
  if (code !== null) return explainCode(code, t) ?? `${t("transfers.providerCode")} ${providerText(code)}`;
  return status === null ? "" : t("transfers.providerStatus", { status: String(status) });
}
