import { getLocale, getTranslations } from "next-intl/server";
import { Notice } from "@/components/ui/notice";
import type { ApprovalState } from "@/lib/approval-terms";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { explainCode } from "@/lib/explain";
import { formatDateTime } from "@/lib/format";
import { outcomeOf } from "./outcome-of";

const TONES = {
  PENDING: "info",
  READY: "warning",
  AUTHORISED: "info",
  EXECUTED: "positive",
  HELD: "info",
  FAILED: "negative",
  UNKNOWN: "warning",
  REFUSED: "negative",
  WITHDRAWN: "info",
  EXPIRED: "warning",
} as const satisfies Record<ApprovalState, string>;

/** How it stands, in a sentence; for who proposed it the first thing to read. */
export async function Outcome({ record }: { record: ApprovalRecord }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const { row, shown, deciderName, reason, code } = record;
  const name = deciderName ?? "";
  const why = code === null ? "" : (explainCode(code, t) ?? code);
  const sentence = t(`approvals.outcome.${outcomeOf(row, deciderName)}`, {
    name,
    why,
    maker: row.makerName,
    time: formatDateTime(row.expiresAt, locale),
  });
  return (
    <div className="space-y-3 px-5 pt-4">
      {shown === null ? (
        <Notice tone="negative">
          <strong className="font-medium">{t("approvals.editedTitle")}.</strong> {t("approvals.editedBody")}
        </Notice>
      ) : null}
      <Notice tone={TONES[row.state]}>
        <p>{sentence}</p>
        {reason === null ? null : (
          <p className="mt-1 break-words whitespace-pre-line">
            <span className="text-muted">{t("approvals.refusalReason")}:</span> <bdi>{reason}</bdi>
          </p>
        )}
      </Notice>
    </div>
  );
}
