import { useLocale, useTranslations } from "next-intl";
import { ApprovalKindName, ApprovalStateBadge } from "@/app/(console)/approvals/approval-words";
import { Described, DescriptionList } from "@/components/description-list";
import { ENDED_STATES } from "@/lib/approval-terms";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { formatDateTime } from "@/lib/format";

/** Who did what about it, and when. */
export function History({ record }: { record: ApprovalRecord }) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const { row, deciderName, decidedAt, endedAt } = record;
  const hasTerm = row.state === "PENDING" || row.state === "READY" || row.state === "EXPIRED";
  // One that is held or not known stands still, and has no end yet.
  const isEnded = ENDED_STATES.some((state) => state === row.state);
  return (
    <DescriptionList>
      <Described name={t("kind")}>
        <ApprovalKindName kind={row.kind} />
      </Described>
      <Described name={t("columns.state")}>
        <ApprovalStateBadge state={row.state} />
      </Described>
      <Described name={t("maker")}>
        <bdi>{row.makerName}</bdi>
      </Described>
      <Described name={t("createdAt")}>{formatDateTime(row.createdAt, locale)}</Described>
      {hasTerm ? (
        <Described name={t("columns.expires")}>
          {t("expiresAt", { time: formatDateTime(row.expiresAt, locale) })}
        </Described>
      ) : null}
      {deciderName === null ? null : (
        <Described name={t("decider")}>
          <bdi>{deciderName}</bdi>
        </Described>
      )}
      {decidedAt === null ? null : <Described name={t("decidedAt")}>{formatDateTime(decidedAt, locale)}</Described>}
      {!isEnded || endedAt === null || endedAt === decidedAt ? null : (
        <Described name={t("endedAt")}>{formatDateTime(endedAt, locale)}</Described>
      )}
    </DescriptionList>
  );
}
