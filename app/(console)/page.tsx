import { ArrowRight, Search } from "lucide-react";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { requireDesk } from "@/app/(console)/desk";
import { PageHeader } from "@/components/page-header";
import { formatCount } from "@/lib/format";
import { listCases } from "@/lib/kyc/queries";
import { listOnboardings } from "@/lib/onboarding/queries";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

/** What waits for people, counted; each count opens its queue. */
export default async function HomePage() {
  const [desk, kyc, onboarding, t, locale] = await Promise.all([
    requireDesk(),
    listCases(),
    listOnboardings(),
    getTranslations("home"),
    getLocale(),
  ]);
  const waiting = [
    {
      href: "/kyc?status=PENDING",
      count: kyc.counts.PENDING,
      name: t("toDecide"),
      note: t("inAnalysis", { count: kyc.counts.PROCESSING }),
    },
    {
      href: "/onboarding?status=action",
      count: onboarding.counts.action,
      name: t("holderActs"),
      note: t("inProgress", { count: onboarding.counts.PROCESSING }),
    },
    {
      href: "/onboarding?status=ERROR",
      count: onboarding.counts.ERROR,
      name: t("refused"),
      note: t("refusedHint"),
    },
  ];
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead", { tenant: desk.tenant.name })} />
      <ul className="grid border-y border-line sm:grid-cols-3">
        {waiting.map(({ href, count, name, note }) => (
          <li key={href} className="border-line max-sm:not-first:border-t sm:not-first:border-l">
            <Link href={href} prefetch={false} className="group block px-5 py-4 outline-offset-[-2px] hover:bg-hover">
              <span className="flex items-center justify-between text-muted">
                {name}
                <ArrowRight aria-hidden size={15} className="text-faint group-hover:text-accent" />
              </span>
              <span className="mt-1 block text-2xl font-semibold tabular-nums">{formatCount(count, locale)}</span>
              <span className="mt-1 block text-sm text-muted">{note}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link
        href="/accounts"
        prefetch={false}
        className="flex items-center gap-3 border-b border-line px-5 py-3.5 outline-offset-[-2px] hover:bg-hover"
      >
        <Search aria-hidden size={16} className="text-accent" />
        <span className="font-medium">{t("lookUp")}</span>
        <span className="text-muted">{t("lookUpHint")}</span>
      </Link>
    </>
  );
}
