import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CsvLink } from "@/components/table/csv-link";
import { SentFilter } from "@/lib/movements/inputs";
import { listSent } from "@/lib/movements/queries";
import { hrefWith } from "@/lib/text/page";
import { SentList } from "./sent-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sent"))("title") };
}

async function SentPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("transfers:read")) return <ForbiddenView screen="transfers" />;
  const filter = SentFilter.parse(await searchParams);
  const [sent, t, transfers] = await Promise.all([
    listSent(filter),
    getTranslations("sent"),
    getTranslations("transfers"),
  ]);
  return (
    <>
      <LiveRefresh topics={["transfers", "wallets"]} />
      <PageHeader
        title={t("title")}
        lead={t(sent.hasCoins ? "lead" : "leadReais")}
        parent={{ href: "/transfers", label: transfers("title") }}
      >
        {scope.permissions.includes("statement:export") ? (
          <CsvLink
            href={hrefWith("/api/exports/sent", { ...filter, page: undefined, scope: scope.id })}
            label={t("export")}
          />
        ) : null}
      </PageHeader>
      <SentList key={JSON.stringify(filter)} sent={sent} filter={filter} />
    </>
  );
}

export default screen("app/(console)/transfers/all/page", SentPage);
