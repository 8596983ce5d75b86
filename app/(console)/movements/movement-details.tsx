"use client";

import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { Fact, RowDetails } from "@/components/table/row-details";
import { SafeLink } from "@/components/table/safe-link";
import type { ListedMovement as Row } from "@/lib/movements/view";
import { formatDateTime } from "@/lib/text/format";

export function MovementDetails({ row }: { row: Row }) {
  const t = useTranslations("movements.details");
  const words = useTranslations("movements");
  const { id, text, counterpart, status, source, explorer, transfer, customer, href, coin, isOwn, other } = row;
  const locale = useLocale();
  const returnedAt = transfer?.returnedAt ?? null;
  const ways = [
    { href, label: t("entry") },
    ...(transfer === null
      ? []
      : [{ href: `/transfers/${transfer.id}`, label: t(transfer.isReturn ? "return" : "transfer") }]),
    ...(other === null ? [] : [{ href: other.href, label: t("other") }]),
    ...(customer === null ? [] : [{ href: `/accounts/${customer.ref}`, label: `${t("customer")} ${customer.name}` }]),
  ];
  const facts: [string, string | null | undefined][] = [
    [words("list.source"), source.label],
    [t("own"), isOwn ? (other?.label ?? t("otherUnread")) : null],
    [t("returned"), returnedAt === null ? null : formatDateTime(returnedAt, locale)],
    [t("text"), text],
    [words("counterpartSearch"), counterpart],
    [words("csv.token"), coin?.token],
    [t("statusWord"), status],
  ];
  return (
    <RowDetails
      ways={ways}
      facts={
        <>
          {id === "" ? null : (
            <Fact name={t("id")}>
              <code className="min-w-0 font-mono text-sm break-all">
                <ProviderText text={id} />
              </code>
              <CopyButton text={id} label={t("copy")} />
            </Fact>
          )}
          {facts.map(([name, value]) =>
            value === null || value === undefined || value === "" ? null : (
              <Fact key={name} name={name}>
                <span className="min-w-0 wrap-anywhere">
                  <ProviderText text={value} />
                </span>
              </Fact>
            ),
          )}
          {explorer === null ? null : (
            <Fact name={t("explorer")}>
              <SafeLink link={explorer} />
            </Fact>
          )}
        </>
      }
    />
  );
}
