import { ArrowRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useFailureWords } from "@/components/layout/failure-words";
import { formatCount } from "@/lib/text/format";
import type { KycQueue } from "@/lib/kyc/queries";
import { countText } from "@/lib/kyc/view";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import { countKnown, type Fresh } from "@/lib/text/page";

type CountsProps = {
  kyc: Fresh & Pick<KycQueue, "counts">;
  onboarding: Fresh & Pick<OnboardingQueue, "counts" | "acts">;
};

/** An area never read shows its reason in place of a count. */
export function Counts({ kyc, onboarding }: CountsProps) {
  const t = useTranslations("home");
  const common = useTranslations("common");
  const queue = useTranslations("kycQueue");
  const locale = useLocale();
  const wordsOf = useFailureWords();
  const counted = (fresh: Fresh, { text, count, note }: { text: string; count: number; note: string }) => {
    const known = countKnown(text, count, fresh);
    const { readSoFar = null } = fresh;
    if (fresh.asOf !== null && readSoFar !== null) {
      return { count: known ?? common("none"), note: queue("readSoFar", { count: formatCount(readSoFar, locale) }) };
    }
    if (known !== undefined) return { count: known, note };
    return { count: common("none"), note: fresh.failure ? wordsOf(fresh.failure).title : common("neverUpdated") };
  };
  const ofOnboardings = (count: number, note: string) =>
    counted(onboarding, { text: formatCount(count, locale), count, note });
  const { PENDING: toDecide, PROCESSING: inAnalysis, open } = kyc.counts;
  // Unknown statuses: whether they are under review, nobody here knows.
  const otherwise = open.cases - toDecide.cases - inAnalysis.cases;
  const underReview = [
    ...(otherwise > 0 && inAnalysis.cases === 0 ? [] : [t("inAnalysis", { count: inAnalysis.cases })]),
    ...(otherwise > 0 ? [t("otherwise", { count: otherwise })] : []),
  ];
  const waiting = [
    {
      href: "/kyc?status=PENDING",
      name: t("toDecide"),
      ...counted(kyc, {
        text: countText(toDecide, locale),
        count: toDecide.cases,
        note: underReview.join(" · "),
      }),
    },
    {
      href: "/onboarding?status=all&acts=holder",
      name: t("holderActs"),
      ...ofOnboardings(onboarding.acts.holder, t("inProgress", { count: onboarding.counts.open })),
    },
    {
      href: "/onboarding?status=ERROR",
      name: t("refused"),
      ...ofOnboardings(onboarding.counts.ERROR, t("refusedHint")),
    },
  ];
  return (
    <ul className="grid border-y border-line sm:grid-cols-3">
      {waiting.map(({ href, count, name, note }) => (
        <li key={href} className="border-line max-sm:not-first:border-t sm:not-first:border-l">
          <Link href={href} prefetch={false} className="group block px-5 py-4 outline-offset-[-2px] hover:bg-hover">
            <span className="flex items-center justify-between text-muted">
              {name}
              <ArrowRight aria-hidden size={15} className="text-faint group-hover:text-accent" />
            </span>
            <span className="mt-1 block text-2xl font-semibold tracking-tight">{count}</span>
            <span className="mt-1 block text-sm text-muted">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
