"use client";

import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { Fact, RowDetails } from "@/components/table/row-details";
import { SafeLink } from "@/components/table/safe-link";
import type { ListedMovement as Row } from "@/lib/movements/view";
import { formatDateTime } from "@/lib/text/format";
import { MovedAmount, Standing, useTypeName } from "./movement-words";

type MovementDetailsProps = { row: Row; hrefOfCounterpart: (key: string) => string };

export function MovementDetails({ row, hrefOfCounterpart }: MovementDetailsProps) {
  const t = useTranslations("movements.details");
  const words = useTranslations("movements");
  const columns = useTranslations("movements.list");
  const typeName = useTypeName();
  const { id, text, counterpart, counterpartKey, status, source, explorer } = row;
  const { at, type, transfer, returnedAt, customer, href, coin, isOwn, other } = row;
  const locale = useLocale();
  const ways = [
    { href, label: t("entry") },
    ...(transfer === null
      ? []
      : [{ href: `/transfers/${transfer.id}`, label: t(transfer.isReturn ? "return" : "transfer") }]),
    ...(other === null ? [] : [{ href: other.href, label: t("other") }]),
    ...(customer === null ? [] : [{ href: `/accounts/${customer.ref}`, label: `${t("customer")} ${customer.name}` }]),
    ...(counterpartKey === null ? [] : [{ href: hrefOfCounterpart(counterpartKey), label: t("onlyCounterpart") }]),
  ];
  const facts: [string, string | null | undefined][] = [
    [columns("at"), at === null ? null : formatDateTime(at, locale)],
    [words("type"), typeName(type)],
    [columns("source"), source.label],
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
          <Fact name={columns("amount")}>
            <MovedAmount {...row} />
          </Fact>
          <Fact name={columns("standing")}>
            <Standing standing={row.standing} />
          </Fact>
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
