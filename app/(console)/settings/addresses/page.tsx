import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { VersionHistory } from "@/app/(console)/settings/version-history";
import { PageHeader } from "@/components/layout/page-header";
import { getAddressList } from "@/lib/security/queries";
import { formatDateTime } from "@/lib/text/format";
import { AddressForm } from "./address-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("addressList"))("title") };
}

async function AddressesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) return <ForbiddenView screen="settings" />;
  const [list, t, locale] = await Promise.all([getAddressList(), getTranslations(), getLocale()]);
  const [last] = list.history;
  const steps = list.history.map(({ version, byName, at, added, removed }) => ({
    version,
    byName: byName ?? t("addressList.command"),
    at,
    changes: [
      ...added.map((network) => ({ key: `+${network}`, words: `${t("settings.added")}: ${network}` })),
      ...removed.map((network) => ({ key: `-${network}`, words: `${t("settings.gone")}: ${network}` })),
    ],
  }));
  return (
    <>
      <PageHeader title={t("settings.title")} lead={t("addressList.lead")} />
      <SettingsAreas current="addresses" />
      <div className="max-w-3xl px-5 py-4">
        <p className="max-w-prose text-muted">{t("addressList.explain")}</p>
        <p className="mt-1 max-w-prose text-muted">{t("addressList.wayOut")}</p>
        <p className="mt-1 max-w-prose text-muted tabular-nums">
          {list.networks.length === 0 ? t("addressList.none") : null}{" "}
          {last === undefined
            ? null
            : t("addressList.inForce", {
                version: last.version,
                name: last.byName ?? t("addressList.command"),
                time: formatDateTime(last.at, locale),
              })}
        </p>
        <AddressForm list={{ version: list.version, networks: list.networks }} ownAddress={list.ownAddress} />
        <VersionHistory none={t("addressList.noHistory")} steps={steps} />
      </div>
    </>
  );
}

export default screen("app/(console)/settings/addresses/page", AddressesPage);
