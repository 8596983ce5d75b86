"use client";

import { EntryWord } from "@/app/(console)/accounts/standing";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { CopyButton } from "@/components/table/copy-button";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/table/provider-text";
import { AskedFor } from "@/components/table/row-details";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { Skeleton } from "@/components/ui/skeleton";
import type { EntryDetail, EntryField, StatementRow } from "@/lib/accounts/queries";
import { formatDateTime, formatTime, isDecimal } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { namingHidden, namingPath } from "@/lib/text/safe-link";

const loadDialog = () => import("@/components/ui/dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const Dialog = deferred(() => loadDialog().then((loaded) => loaded.Dialog));

const Opening = createContext<(at: number) => void>(() => undefined);

export function EntryOpener({ at, children }: { at: number; children: ReactNode }) {
  const open = useContext(Opening);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => open(at)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
        className="row-link max-w-full truncate text-start @max-[38rem]:whitespace-normal"
      >
        {children}
      </button>
      {/* No button goes to paper. */}
      <span className="hidden print:inline">{children}</span>
    </>
  );
}

type EntryPanelProps = { accountRef: string; entries: readonly StatementRow[]; children: ReactNode };

export function EntryPanel({ accountRef, entries, children }: EntryPanelProps) {
  const t = useTranslations("statement");
  const [at, setAt] = useState<number | null>(null);
  const entry = at === null ? undefined : entries[at];
  const isOpen = entry !== undefined;
  const last = entries.length - 1;

  useEffect(() => {
    if (!isOpen) return undefined;
    const walk = (event: KeyboardEvent) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (step === 0) return;
      event.preventDefault();
      // Of two keys in quick succession the second one walks from where the first one led.
      setAt((now) => (now === null ? now : Math.min(Math.max(now + step, 0), last)));
    };
    window.addEventListener("keydown", walk);
    return () => window.removeEventListener("keydown", walk);
  }, [isOpen, last]);

  return (
    <Opening value={setAt}>
      {children}
      {at === null || entry === undefined ? null : (
        <Dialog
          isDrawer
          title={t("entry")}
          description={t("position", { place: at + 1, total: entries.length })}
          closeLabel={t("closeEntry")}
          onClose={() => setAt(null)}
        >
          <div className="flex items-center gap-2 px-5 pb-4">
            <Button size="small" aria-disabled={at === 0} onClick={() => at > 0 && setAt(at - 1)}>
              <Icon of="chevron-up" size={13} />
              {t("newerEntry")}
            </Button>
            <Button
              size="small"
              aria-disabled={at === entries.length - 1}
              onClick={() => at < entries.length - 1 && setAt(at + 1)}
            >
              <Icon of="chevron-down" size={13} />
              {t("olderEntry")}
            </Button>
          </div>
          <EntryBody key={`${at} ${entry.transactionId}`} accountRef={accountRef} entry={entry} />
        </Dialog>
      )}
    </Opening>
  );
}

type EntryBodyProps = { accountRef: string; entry: StatementRow };

function EntryBody({ accountRef, entry }: EntryBodyProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const { transactionId, amount, direction, date, description } = entry;
  const asked = { transaction: transactionId, direction };
  return (
    <>
      <div className="border-y border-line bg-canvas px-5 py-4">
        <p className="text-xl font-semibold">
          {direction === null ? <Money decimal={amount} /> : <Money decimal={amount} direction={direction} />}
        </p>
        <p className="mt-0.5">{description === "" ? t("noDescription") : <ProviderText text={description} />}</p>
        <p className="text-sm text-muted tabular-nums">{formatDateTime(date, locale)}</p>
      </div>
      {transactionId === "" ? (
        <p className="px-5 py-4 text-muted">{t("noTransactionId")}</p>
      ) : (
        <>
          <AskedFor<EntryDetail>
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
      )}
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

function EntryRead({ detail: { entry, counterparty, others, asOf } }: { detail: EntryDetail }) {
  const t = useTranslations();
  const locale = useLocale();
  const labelOf = ({ name, path }: EntryField) => (name === null ? namingPath(path) : t(`statement.fields.${name}`));
  const groups = [
    { name: "told", fields: entry },
    { name: "counterparty", fields: counterparty },
    { name: "others", fields: others },
  ] as const;
  return (
    <>
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
          </section>
        ),
      )}
      <p className="px-5 pt-2 text-sm text-muted tabular-nums">
        {t("accountRecord.readAt", { time: formatTime(asOf, locale) })}
      </p>
    </>
  );
}

const TIMES: readonly EntryField["name"][] = ["date", "pendingExpiresAt", "decidedAt"];
const IDS: readonly EntryField["name"][] = ["transactionId", "endToEndId", "accountId", "antifraudId", "account"];

function EntryFieldValue({ field: { name, text } }: { field: EntryField }) {
  const t = useTranslations();
  const locale = useLocale();
  if (name === "amount" && isDecimal(text)) return <Money decimal={text} />;
  if (TIMES.includes(name)) return <ProviderText text={formatDateTime(text, locale)} />;
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
