import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { RecordSection } from "@/components/layout/record-columns";
import { PermittedLink } from "@/components/ui/permitted-link";
import type { AttemptView, OnboardingRecordView } from "@/lib/onboarding/queries";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { JoinButton, PartButton } from "./record-actions";

type TryAgainProps = { id: string; denial: string | null };

export function TryAgain({ id, denial }: TryAgainProps) {
  const t = useTranslations("onboardingRecord");
  return (
    <PermittedLink href={hrefWith("/onboarding/new", { from: id })} denial={denial}>
      <Icon of="repeat-2" size={14} />
      {t("tryAgain")}
    </PermittedLink>
  );
}

type AttemptsProps = { record: OnboardingRecordView; denial: string | null };

export function Attempts({ record: { row, attempts }, denial }: AttemptsProps) {
  const t = useTranslations("onboardingRecord");
  const { chain, position, others, joinable } = attempts;
  if (chain.length < 2 && others.length === 0) return null;
  return (
    <RecordSection id="attempts" title={t("attempts")}>
      <ol className="divide-y divide-line border-y border-line">
        {chain.map((attempt, at) => (
          <Attempt key={attempt.id} attempt={attempt} position={at + 1} isThis={attempt.id === row.id} />
        ))}
      </ol>
      {others.length === 0 ? null : (
        <>
          <h3 className="px-5 pt-3 pb-1.5 text-sm text-muted">{t("others")}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {others.map((attempt) => (
              <Attempt key={attempt.id} attempt={attempt} position={null} isThis={false} />
            ))}
          </ul>
        </>
      )}
      {denial === null ? (
        <div className="flex flex-wrap gap-2 px-5 pt-2.5">
          {position > 1 ? <PartButton id={row.id} /> : null}
          {joinable.length > 0 ? <JoinButton id={row.id} joinable={joinable} /> : null}
        </div>
      ) : null}
    </RecordSection>
  );
}

type AttemptProps = { attempt: AttemptView; position: number | null; isThis: boolean };

function Attempt({ attempt: { id, status, firstSeenAt }, position, isThis }: AttemptProps) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  const begun = t("begunOn", { time: formatDateTime(firstSeenAt, locale) });
  const name = position === null ? begun : t("attemptNamed", { position });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-2" aria-current={isThis || undefined}>
      {isThis ? (
        <span className="font-medium">
          {name} <span className="font-normal text-muted">({t("thisOne")})</span>
        </span>
      ) : (
        <Link href={`/onboarding/${id}`} prefetch={false} className="font-medium text-accent hover:underline">
          {name}
        </Link>
      )}
      <OnboardingStatusBadge status={status} />
      {position === null ? null : <span className="text-sm text-muted tabular-nums">{begun}</span>}
    </li>
  );
}
