"use client";

import { EntryWord } from "@/app/(console)/accounts/standing";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
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

type Place = { at: number; id: string };

function addressWith(id: string | null): string {
  const address = new URL(window.location.href);
  if (id === null || id === "") address.searchParams.delete("entry");
  else address.searchParams.set("entry", id);
  return `${address.pathname}${address.search}`;
}

const placeCalled = (id: string | null): Place | null => (id === null || id === "" ? null : { at: -1, id });

/** The open entry is in the address, to be sent on and to survive a reload; the browser's way back closes it. */
function useOpenEntry(entries: readonly StatementRow[]) {
  const asked = useSearchParams().get("entry");
  const [place, setPlace] = useState(() => placeCalled(asked));
  // Of two keys in quick succession the second one walks from where the first one led.
  const latest = useRef(place);
  const isPushed = useRef(false);
  const show = (next: Place | null) => {
    latest.current = next;
    setPlace(next);
  };
  const placeAt = (at: number): Place => ({ at, id: entries[at]?.transactionId ?? "" });
  const indexOf = ({ at, id }: Place) =>
    entries[at]?.transactionId === id ? at : entries.findIndex(({ transactionId }) => transactionId === id);

  const open = (at: number) => {
    const next = placeAt(at);
    show(next);
    isPushed.current = next.id !== "";
    if (isPushed.current) window.history.pushState(null, "", addressWith(next.id));
  };
  const placeBeside = (from: Place | null, step: 1 | -1): Place | null => {
    const at = from === null ? -1 : indexOf(from);
    return at === -1 || entries[at + step] === undefined ? null : placeAt(at + step);
  };
  const walk = (step: 1 | -1) => {
    const next = placeBeside(latest.current, step);
    if (next === null) return;
    show(next);
    window.history.replaceState(null, "", addressWith(next.id));
  };
  const close = () => {
    show(null);
    if (isPushed.current) window.history.back();
    else window.history.replaceState(null, "", addressWith(null));
    isPushed.current = false;
  };

  const follow = useEffectEvent(() => show(placeCalled(new URLSearchParams(window.location.search).get("entry"))));
  useEffect(() => {
    const listen = () => follow();
    window.addEventListener("popstate", listen);
    return () => window.removeEventListener("popstate", listen);
  }, []);
  return {
    id: place?.id ?? null,
    at: place === null ? -1 : indexOf(place),
    isFirst: placeBeside(place, -1) === null,
    isLast: placeBeside(place, 1) === null,
    open,
    walk,
    close,
  };
}

export function EntryPanel({ accountRef, entries, children }: EntryPanelProps) {
  const t = useTranslations("statement");
  const { id, at, isFirst, isLast, open, walk, close } = useOpenEntry(entries);
  const isOpen = id !== null;
  const entry = entries[at];
  const walkByKey = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    walk(step);
  });

  useEffect(() => {
    if (!isOpen) return undefined;
    const press = (event: KeyboardEvent) => walkByKey(event);
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOpen]);

  return (
    <Opening value={open}>
      {children}
      {isOpen ? (
        <Dialog
          isDrawer
          title={t("entry")}
          description={entry === undefined ? t("entryApart") : t("position", { place: at + 1, total: entries.length })}
          closeLabel={t("closeEntry")}
          onClose={close}
        >
          {entry === undefined ? (
            <EntryDetails accountRef={accountRef} asked={{ transaction: id }} />
          ) : (
            <>
              <div className="flex items-center gap-2 px-5 pb-4">
                <Button size="small" aria-disabled={isFirst} onClick={() => walk(-1)}>
                  <Icon of="chevron-up" size={13} />
                  {t("newerEntry")}
                </Button>
                <Button size="small" aria-disabled={isLast} onClick={() => walk(1)}>
                  <Icon of="chevron-down" size={13} />
                  {t("olderEntry")}
                </Button>
              </div>
              <EntryBody key={`${at} ${entry.transactionId}`} accountRef={accountRef} entry={entry} />
            </>
          )}
        </Dialog>
      ) : null}
    </Opening>
  );
}

type EntryBodyProps = { accountRef: string; entry: StatementRow };

function EntryBody({ accountRef, entry }: EntryBodyProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const { transactionId, amount, direction, date, description } = entry;
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
