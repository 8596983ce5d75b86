import { ChevronLeft, ChevronRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { DueTag } from "@/app/(console)/kyc/case-words";
import { PersonName } from "@/components/layout/person-name";
import { KycStatusBadge } from "@/components/layout/badges";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { KycCaseView, KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";

type NeighboursProps = { previous: string | null; next: string | null };

export function Neighbours({ previous, next }: NeighboursProps) {
  const t = useTranslations("kycCase");
  const steps = [
    { href: previous, label: t("previous"), rel: "prev", Icon: ChevronLeft },
    { href: next, label: t("next"), rel: "next", Icon: ChevronRight },
  ];
  if (previous === null && next === null) return null;
  return (
    <nav aria-label={t("beside")} className="flex gap-1">
      {steps.map(({ href, label, rel, Icon }) =>
        href === null ? (
          <span key={label} aria-disabled className={buttonClass("quiet", "small")}>
            <Icon aria-hidden size={14} />
            <span className="sr-only">{label}</span>
          </span>
        ) : (
          <Link
            key={label}
            href={href}
            rel={rel}
            prefetch={false}
            aria-label={label}
            title={label}
            className={buttonClass("quiet", "small")}
          >
            <Icon aria-hidden size={14} />
          </Link>
        ),
      )}
    </nav>
  );
}

type Reader = { id: string; permissions: readonly string[] };

type WaitingProposalProps = { proposal: NonNullable<KycRow["proposal"]>; desk: Reader };

/** Those who follow proposals, and its maker. */
const maySee = ({ id, permissions }: Reader, makerId: string) =>
  id.startsWith(`${makerId}:`) || permissions.includes("approvals:authorize") || permissions.includes("audit:read");

export function WaitingProposal({ proposal, desk }: WaitingProposalProps) {
  const t = useTranslations("approvals");
  return (
    <Notice tone="warning" className="mx-5 mb-3">
      {t("waitsFor", { name: proposal.makerName })}{" "}
      {maySee(desk, proposal.makerId) ? (
        <Link href={`/approvals/${proposal.approvalId}`} prefetch={false} className="font-medium text-accent underline">
          {t("seeProposal")}
        </Link>
      ) : null}
    </Notice>
  );
}

type StandingProps = { found: KycCaseView; readerId: string };

export function Standing({ found: { row, now, dueSoonHours }, readerId }: StandingProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const { assignee, assignedAt, waitingSince, decidedAt, dueAt, tags } = row;
  const waits = decidedAt ?? waitingSince;
  return (
    <section aria-label={t("standing")} className="border-t border-line px-5 py-3.5">
      <p className="hidden pb-2 text-sm tabular-nums print:block">
        {t("printedOf", { time: formatDateTime(now, locale) })}
      </p>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:flex sm:flex-wrap">
        <Fact name={t("status")}>
          <KycStatusBadge status={row.status} />
        </Fact>
        {dueAt === null || decidedAt !== null ? null : (
          <Fact name={t("due")} detail={formatDateTime(dueAt, locale)}>
            <DueTag row={row} now={now} dueSoonHours={dueSoonHours} />
          </Fact>
        )}
        <Fact
          name={t("assignee")}
          detail={assignee === null ? null : t("since", { time: formatDateTime(assignedAt ?? now, locale) })}
        >
          {assignee === null ? (
            <span className="text-muted">{t("unassigned")}</span>
          ) : (
            <PersonName name={assignee.name} you={assignee.id === readerId ? t("you") : null} />
          )}
        </Fact>
        {waits === null ? null : (
          <Fact name={t(decidedAt === null ? "waits" : "decided")}>
            <time dateTime={waits} className="tabular-nums">
              {formatDateTime(waits, locale)}
            </time>
          </Fact>
        )}
        {tags.length === 0 ? null : (
          <Fact name={t("tags")}>
            <ul aria-label={t("tags")} className="flex flex-wrap items-center gap-1.5">
              {tags.map((tag) => (
                <li key={tag}>
                  <Badge tone="neutral" isDotted={false}>
                    {tag}
                  </Badge>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </section>
  );
}

type FactProps = { name: string; detail?: string | null; children: ReactNode };

function Fact({ name, detail = null, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex min-h-6.5 min-w-0 items-center text-md font-medium wrap-anywhere">{children}</dd>
      {detail === null ? null : <dd className="text-sm text-muted tabular-nums">{detail}</dd>}
    </div>
  );
}
