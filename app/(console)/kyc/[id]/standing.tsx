import { CircleUser, Tag } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { DueTag } from "@/app/(console)/kyc/due-tag";
import { KycStatusBadge } from "@/components/status-badge";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { KycCaseView } from "@/lib/kyc/queries";

type StandingProps = { found: KycCaseView; readerId: string };

/** What needs deciding: where the case stands, until when, and whose it is. */
export function Standing({ found: { row, now, dueSoonHours }, readerId }: StandingProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const { assignee, assignedAt, waitingSince, decidedAt, tags } = row;
  const since = formatDateTime(assignedAt ?? now, locale);
  return (
    <section
      aria-label={t("standing")}
      className="flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line px-5 py-2.5"
    >
      <KycStatusBadge status={row.status} />
      <DueTag row={row} now={now} dueSoonHours={dueSoonHours} />
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <CircleUser aria-hidden size={14} className="shrink-0 text-muted" />
        {assignee === null ? (
          <span className="text-muted">{t("unassigned")}</span>
        ) : assignee.id === readerId ? (
          t("assignedToYou", { time: since })
        ) : (
          t("assignedTo", { name: assignee.name, time: since })
        )}
      </span>
      {decidedAt !== null ? (
        <span className="text-muted">{t("decidedAt", { time: formatDateTime(decidedAt, locale) })}</span>
      ) : waitingSince === null ? null : (
        <span className="text-muted">{t("waitingSince", { time: formatDateTime(waitingSince, locale) })}</span>
      )}
      {tags.length === 0 ? null : (
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <Tag aria-hidden size={13} className="shrink-0 text-muted" />
          <ul aria-label={t("tags")} className="flex flex-wrap items-center gap-1.5">
            {tags.map((tag) => (
              <li key={tag}>
                <Badge tone="neutral" isDotted={false}>
                  {tag}
                </Badge>
              </li>
            ))}
          </ul>
        </span>
      )}
    </section>
  );
}
