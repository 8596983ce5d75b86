"use client";

import { EntryWord } from "@/app/(console)/accounts/standing";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { CopyButton } from "@/components/table/copy-button";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { AskedFor } from "@/components/table/row-details";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import type { EntryField, EntryWithTransfer, StatementRow } from "@/lib/accounts/queries";
import { formatDateTime, formatTime, isDecimal } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { fieldLabel } from "@/lib/text/field-label";
import { namingHidden } from "@/lib/text/safe-link";

type EntryDialogProps = {
  accountRef: string;
  /** The transaction's id; empty when the provider gives none. */
  id: string;
  /** Undefined when the entry is not on this page. */
  entry: StatementRow | undefined;
  position: string;
  walk: { isFirst: boolean; isLast: boolean; by: (step: 1 | -1) => void } | null;
  onClose: () => void;
};

export function EntryDialog({ accountRef, id, entry, position, walk, onClose }: EntryDialogProps) {
  const t = useTranslations("statement");
  const common = useTranslations("common");
  const end = (isEnd: boolean) => ({ "aria-disabled": isEnd, title: isEnd ? common("noMore") : undefined });
  return (
    <Dialog isDrawer title={t("entry")} description={position} closeLabel={t("closeEntry")} onClose={onClose}>
      {entry === undefined || walk === null ? (
        <EntryDetails accountRef={accountRef} asked={{ transaction: id }} />
      ) : (
        <>
          <div className="flex items-center gap-2 px-5 pb-4">
            <Button size="small" {...end(walk.isFirst)} onClick={() => walk.by(-1)}>
              <Icon of="chevron-up" size={13} />
              {t("newerEntry")}
            </Button>
            <Button size="small" {...end(walk.isLast)} onClick={() => walk.by(1)}>
              <Icon of="chevron-down" size={13} />
              {t("olderEntry")}
            </Button>
          </div>
          <EntryBody key={`${position} ${entry.transactionId}`} accountRef={accountRef} entry={entry} />
        </>
      )}
    </Dialog>
  );
}

type EntryBodyProps = { accountRef: string; entry: StatementRow };

function EntryBody({ accountRef, entry }: EntryBodyProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const { transactionId, amount, direction, directionWord, unheardWord, date, description } = entry;
  const unheard = direction === null ? directionWord : unheardWord;
  return (
    <>
      <div className="border-y border-line bg-canvas px-5 py-4">
        <p className="text-xl font-semibold">
          {direction === null ? <Money decimal={amount} /> : <Money decimal={amount} direction={direction} />}
          {unheard === "" ? null : (
            <span className="ml-2 text-sm font-normal text-muted">
              <ProviderText text={unheard} />
            </span>
          )}
        </p>
        <p className="mt-0.5">{description === "" ? t("noDescription") : <ProviderText text={description} />}</p>
        <p className="text-sm text-muted tabular-nums">{formatDateTime(date, locale)}</p>
      </div>
      {transactionId === "" ? (
        <p className="px-5 py-4 text-muted">{t("noTransactionId")}</p>
      ) : (
        <EntryDetails accountRef={accountRef} asked={{ transaction: transactionId, direction }} />
      )}
    </>
  );
}

type EntryDetailsProps = {
  accountRef: string;
  asked: { transaction: string; direction?: StatementRow["direction"] };
};

function EntryDetails({ accountRef, asked }: EntryDetailsProps) {
  const t = useTranslations("statement");
  return (
    <>
      <AskedFor<EntryWithTransfer>
        address={hrefWith(`/api/accounts/${accountRef}/entry`, asked)}
        failed={t("entryUnread")}
        className="px-5 py-4"
        skeleton={<EntrySkeleton />}
      >
        {(detail) => <EntryRead detail={detail} />}
      </AskedFor>
      <p className="px-5 py-4">
        <Link
          href={hrefWith(`/accounts/${accountRef}/receipt`, asked)}
          prefetch={false}
          className={buttonClass("plain")}
        >
          <Icon of="receipt-text" size={14} />
          {t("receipt")}
        </Link>
      </p>
    </>
  );
}

const SKELETON_FIELDS = 6;

function EntrySkeleton() {
  return (
    <div aria-busy className="divide-y divide-line border-b border-line">
      {Array.from({ length: SKELETON_FIELDS }, (_, field) => (
        <div key={field} className="flex h-9.5 items-center gap-3 px-5">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-3.5 w-40" />
        </div>
      ))}
    </div>
  );
}

function EntryRead({ detail }: { detail: EntryWithTransfer }) {
  const { entry, counterparty, others, transfer, transfers, asOf } = detail;
  const t = useTranslations();
  const locale = useLocale();
  const labelOf = ({ name, path }: EntryField) => (name === null ? fieldLabel(path) : t(`statement.fields.${name}`));
  const groups = [
    { name: "told", fields: entry },
    { name: "counterparty", fields: counterparty },
    { name: "others", fields: others },
  ] as const;
  return (
    <>
      {transfer === null ? null : (
        <p className="px-5 pt-4">
          {t(`statement.ourTransfer.${transfer.isReturn ? "returned" : "sent"}`)}{" "}
          <Link href={`/transfers/${transfer.id}`} prefetch={false} className="text-accent underline">
            {t("transferForm.likeOpen")}
          </Link>
        </p>
      )}
      {groups.map(({ name, fields }) =>
        fields.length === 0 ? null : (
          <section key={name} aria-labelledby={`entry-${name}`} className="pt-4">
            <h3 id={`entry-${name}`} className="px-5 pb-2 text-sm font-medium text-muted">
              {t(`statement.${name}`)}
            </h3>
            <DescriptionList>
              {fields.map((field) => (
                <Described key={field.path} name={labelOf(field)} title={namingHidden(field.path)}>
                  <EntryFieldValue field={field} />
                </Described>
              ))}
            </DescriptionList>
            {name === "counterparty" ? <CounterpartyTransfers transfers={transfers} /> : null}
          </section>
        ),
      )}
      <p className="px-5 pt-2 text-sm text-muted tabular-nums">
        {t("accountRecord.readAt", { time: formatTime(asOf, locale) })}
      </p>
    </>
  );
}

function CounterpartyTransfers({ transfers: { payeeOf, accountRef } }: Pick<EntryWithTransfer, "transfers">) {
  const t = useTranslations("statement");
  const ways = [
    { label: t("allTo"), only: payeeOf === null ? null : { payeeOf } },
    { label: t("allFrom"), only: accountRef === null ? null : { account: accountRef } },
  ];
  return ways.map(({ label, only }) =>
    only === null ? null : (
      <p key={label} className="px-5 pt-2">
        <Link
          href={hrefWith("/transfers", { view: "all", ...only })}
          prefetch={false}
          className="text-accent hover:underline"
        >
          {label}
        </Link>
      </p>
    ),
  );
}

const IDS: readonly EntryField["name"][] = ["transactionId", "endToEndId", "accountId", "antifraudId", "account"];

function EntryFieldValue({ field: { name, text, kind } }: { field: EntryField }) {
  const t = useTranslations();
  const locale = useLocale();
  if (name === "amount" && isDecimal(text)) return <Money decimal={text} />;
  if (kind === "time") return <ProviderText text={formatDateTime(text, locale)} />;
  if (!IDS.includes(name)) return <EntryWord field={name} text={text} />;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <code className="min-w-0 font-mono text-xs wrap-anywhere">
        <ProviderText text={text} />
      </code>
      {name === null ? null : (
        <CopyButton text={text} label={t("statement.copy", { field: t(`statement.fields.${name}`) })} />
      )}
    </span>
  );
}
