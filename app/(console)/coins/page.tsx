import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { SendFilter } from "@/lib/wallets/inputs";
import { listSends } from "@/lib/wallets/queries";
import { SendList } from "./send-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("coins"))("title") };
}

async function CoinsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="coins" />;
  const asked = await searchParams;
  const filter = SendFilter.parse(asked);
  const saved = await savedViews.coins();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/coins?${own.search}`);
  const [sends, t, sent] = await Promise.all([listSends(filter), getTranslations("coins"), getTranslations("sent")]);
  const { before: _, after: __, ...filed } = filter;
  return (
    <>
      <PageHeader title={t("title")}>
        <Link href="/transfers/all" prefetch={false} className={buttonClass("plain")}>
          {sent("all")}
        </Link>
        <a
          href={hrefWith("/api/exports/coins", { ...filed, scope: scope.id })}
          download
          aria-label={t("export")}
          className={buttonClass("plain")}
        >
          <Icon of="download" size={14} />
          CSV
        </a>
      </PageHeader>
      <SendList key={JSON.stringify(filter)} initial={sends} filter={filter} saved={saved} />
    </>
  );
}

export default screen("app/(console)/coins/page", CoinsPage);
