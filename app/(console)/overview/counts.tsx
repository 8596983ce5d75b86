import { ArrowRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { formatCount } from "@/lib/format";
import type { KycQueue } from "@/lib/kyc/queries";
import { countText } from "@/lib/kyc-view";
import type { OnboardingQueue } from "@/lib/onboarding/queries";

type CountsProps = { kyc: KycQueue["counts"]; onboarding: Pick<OnboardingQueue, "counts" | "acts"> };

/** Each count opens the queue it counts. */
export function Counts({ kyc, onboarding }: CountsProps) {
  const t = useTranslations("home");
  const locale = useLocale();
  const waiting = [
    {
      href: "/kyc?status=PENDING",
      count: countText(kyc.PENDING, locale),
      name: t("toDecide"),
      note: t("inAnalysis", { count: kyc.PROCESSING.cases }),
    },
    {
      href: "/onboarding?status=all&acts=holder",
      count: formatCount(onboarding.acts.holder, locale),
      name: t("holderActs"),
      note: t("inProgress", { count: onboarding.counts.open }),
    },
    {
      href: "/onboarding?status=ERROR",
      count: formatCount(onboarding.counts.ERROR, locale),
      name: t("refused"),
      note: t("refusedHint"),
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
