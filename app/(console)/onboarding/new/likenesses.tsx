import { useLocale, useTranslations } from "next-intl";
import { Likenesses, LikenessLine } from "@/app/(console)/ordering/likenesses";
import type { Repeat } from "@/app/(console)/ordering/use-repeat";
import { OnboardingStatusBadge } from "@/components/status-badge";
import type { AccountLikeness } from "@/lib/account-creation";
import { formatDate } from "@/lib/format";

function AccountLine({ likeness }: { likeness: AccountLikeness }) {
  const t = useTranslations("accountForm");
  const locale = useLocale();
  const { id, at, byName, status, isUnsettled } = likeness;
  const date = formatDate(at, locale);
  const ours = isUnsettled ? "likeUnsettled" : "likeOurs";
  return (
    <LikenessLine
      words="accountForm"
      text={byName === null ? t("likeElsewhere", { date }) : t(ours, { date, name: byName })}
      status={status === null ? null : <OnboardingStatusBadge status={status} />}
      href={id === null ? null : `/onboarding/${id}`}
    />
  );
}

type AccountLikenessesProps = { likenesses: readonly AccountLikeness[]; repeat: Repeat };

/** The document has an onboarding that goes on, or an account. */
export function AccountLikenesses({ likenesses, repeat }: AccountLikenessesProps) {
  const t = useTranslations("accountForm");
  return (
    <Likenesses words="accountForm" title={t("likeTitle")} again={t("again")} repeat={repeat}>
      {likenesses.map((likeness) => (
        <AccountLine key={likeness.ref} likeness={likeness} />
      ))}
    </Likenesses>
  );
}
