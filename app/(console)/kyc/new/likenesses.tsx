import { useLocale, useTranslations } from "next-intl";
import { Likenesses, LikenessLine } from "@/app/(console)/ordering/likenesses";
import type { Repeat } from "@/app/(console)/ordering/use-repeat";
import { KycStatusBadge } from "@/components/status-badge";
import { formatDate } from "@/lib/format";
import { type Likeness, REPEAT_DAYS } from "@/lib/kyc-start";

function CaseLine({ likeness }: { likeness: Likeness }) {
  const t = useTranslations("kycStart");
  const locale = useLocale();
  const { kycUUID, at, byName, status, isSame } = likeness;
  const isDecided = status === "APPROVED" || status === "REPROVED";
  const date = formatDate(at, locale);
  return (
    <LikenessLine
      words="kycStart"
      text={isSame ? t("likeSame", { date, name: byName ?? "" }) : t(isDecided ? "likeDecided" : "likeCase", { date })}
      status={
        status === null ? <span className="text-muted">{t("likeUnknown")}</span> : <KycStatusBadge status={status} />
      }
      href={kycUUID === null ? null : `/kyc/${encodeURIComponent(kycUUID)}`}
    />
  );
}

type CaseLikenessesProps = { likenesses: readonly Likeness[]; price: string; repeat: Repeat };

/** The same document was started before: going on all the same is billed again. */
export function CaseLikenesses({ likenesses, price, repeat }: CaseLikenessesProps) {
  const t = useTranslations("kycStart");
  return (
    <Likenesses
      words="kycStart"
      title={t("likeTitle", { days: REPEAT_DAYS })}
      again={t("again", { price })}
      repeat={repeat}
    >
      {likenesses.map((likeness) => (
        <CaseLine key={likeness.ref} likeness={likeness} />
      ))}
    </Likenesses>
  );
}
