import { NotFoundView } from "@/components/layout/empty-view";
import { Icon } from "@/components/ui/icons";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { EntryWord } from "@/app/(console)/accounts/standing";
import { NamedFile } from "@/app/(console)/accounts/[ref]/named-file";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { Money } from "@/components/table/money";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import {
  type AccountView,
  getAccount,
  getReceipt,
  receiptParts,
  type Party,
  type Receipt,
} from "@/lib/accounts/queries";
import { EntryQuery } from "@/lib/accounts/inputs";
import { entryText, receiptFile } from "@/lib/accounts/view";
import { formatDate, formatDateTime, formatTime, isDecimal } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { hrefWith } from "@/lib/text/page";
import { PrintButton } from "./print-button";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("receipt"))("title") };
}

async function PartySection({ id, party }: { id: "payer" | "payee" | "holder" | "counterparty"; party: Party }) {
  const t = await getTranslations("receipt");
  return (
    <section aria-labelledby={id} className="pt-5">
      <h2 id={id} className="px-5 pb-2 text-sm font-medium text-muted">
        {t(id)}
      </h2>
      <DescriptionList>
        {receiptParts(party).map(({ part, text }) => (
          <Described key={part} name={t(`parts.${part}`)}>
            <ReportedText text={text} />
          </Described>
        ))}
      </DescriptionList>
      {party.isAsOrdered ? <p className="px-5 pt-2 text-sm text-muted">{t("asOrdered")}</p> : null}
    </section>
  );
}

async function ReportedText({ text }: { text: string }) {
  const t = await getTranslations("receipt");
  return text === "" ? <span className="text-faint">{t("untold")}</span> : <EntryWord field={null} text={text} />;
}

async function Transaction({ receipt }: { receipt: Receipt }) {
  const t = await getTranslations("receipt");
  const { type, status, description, transactionId, endToEndId } = receipt;
  const facts = [
    { name: "type", text: type },
    { name: "status", text: status },
    { name: "description", text: description },
  ] as const;
  const ids = [
    { name: "id", text: transactionId },
    { name: "endToEndId", text: endToEndId },
  ] as const;
  return (
    <section aria-labelledby="transaction" className="pt-5">
      <h2 id="transaction" className="px-5 pb-2 text-sm font-medium text-muted">
        {t("transaction")}
      </h2>
      <DescriptionList>
        {facts.map(({ name, text }) =>
          text === null || text === "" ? null : (
            <Described key={name} name={t(name)}>
              <EntryWord field={name === "description" ? null : name} text={text} />
            </Described>
          ),
        )}
        {ids.map(({ name, text }) =>
          text === null || text === "" ? null : (
            <Described key={name} name={t(name)}>
              <code className="font-mono text-sm wrap-anywhere">
                <EntryWord field={null} text={text} />
              </code>
            </Described>
          ),
        )}
      </DescriptionList>
    </section>
  );
}

async function Sides({ receipt: { direction, holder, counterparty } }: { receipt: Receipt }) {
  const t = await getTranslations("receipt");
  if (direction === null) {
    return (
      <>
        <Notice tone="warning" className="mx-5 mt-4">
          {t("sidesUnreported")}
        </Notice>
        <PartySection id="holder" party={holder} />
        <PartySection id="counterparty" party={counterparty} />
      </>
    );
  }
  return (
    <>
      <PartySection id="payer" party={direction === "DEBIT" ? holder : counterparty} />
      <PartySection id="payee" party={direction === "DEBIT" ? counterparty : holder} />
    </>
  );
}

type ReceiptPageProps = { params: Promise<{ ref: string }>; searchParams: Promise<Record<string, unknown>> };

async function ReceiptPage({ params, searchParams }: ReceiptPageProps) {
  const { ref } = await params;
  const asked = EntryQuery.parse(await searchParams);
  const account = await getAccount(ref);
  if (account === null || asked.transaction === "") return <NotFoundView />;
  return (
    <Suspense fallback={<ReceiptSkeleton />}>
      <ReceiptRead account={account} asked={asked} />
    </Suspense>
  );
}

async function ReceiptSkeleton() {
  const t = await getTranslations("common");
  return (
    <div aria-busy>
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
      <div className="flex h-13 items-center px-5">
        <Skeleton className="h-4.5 w-56" />
      </div>
      <div className="mx-auto my-6 w-full max-w-xl px-5">
        <Skeleton className="h-112 w-full" />
      </div>
    </div>
  );
}

async function ReceiptRead({ account, asked }: { account: AccountView; asked: EntryQuery }) {
  const { ref } = account;
  const [scope, receipt, t, locale] = await Promise.all([
    requireScope(),
    getReceipt(ref, asked),
    getTranslations(),
    getLocale(),
  ]);
  const denial = await deniedReason(scope.permissions, "statement:export");
  const pdf = hrefWith(`/api/accounts/${ref}/receipt`, { ...asked, scope: scope.id });
  const { amount, date, isBooked, status, asOf, company } = receipt;
  return (
    <>
      <PageHeader
        title={t("receipt.title")}
        parent={{
          href: `/accounts/${ref}`,
          label: t("accounts.accountOf", { number: namingHidden(account.number) }),
        }}
      >
        <div className="flex flex-wrap gap-2 print:hidden">
          {isBooked ? <PrintButton label={t("receipt.print")} /> : null}
          {!isBooked ? null : denial === null ? (
            <>
              <NamedFile accountRef={ref} file={receiptFile(asked)} href={pdf} tone="plain" size="medium" />
              <a href={pdf} download className={buttonClass("primary")}>
                <Icon of="download" size={14} />
                {t("receipt.pdf")}
              </a>
            </>
          ) : (
            <DeniedButton reason={denial} className={buttonClass("plain")}>
              <Icon of="download" size={14} />
              {t("receipt.pdf")}
            </DeniedButton>
          )}
        </div>
      </PageHeader>
      <div className="border-t border-line bg-canvas wide:min-h-[calc(100dvh-3.25rem)] print:min-h-0 px-5 py-6 max-wide:px-0 max-wide:py-0 print:border-0 print:bg-transparent print:p-0">
        <article className="mx-auto w-full max-w-xl border-line bg-surface pb-5 wide:rounded-lg wide:border print:max-w-none print:border-0">
          <div className="border-b border-line px-5 py-4">
            <p className="font-medium">{company.name}</p>
            {company.details.map((detail) => (
              <p key={detail} className="text-sm text-muted">
                {detail}
              </p>
            ))}
          </div>
          <div className="px-5 pt-6">
            <p className="text-2xl font-semibold tabular-nums">
              {isDecimal(amount) ? <Money decimal={amount} /> : <ReportedText text={amount} />}
            </p>
            <p className="mt-1 text-muted tabular-nums">{formatDateTime(date, locale)}</p>
          </div>
          {isBooked ? null : (
            <Notice tone="warning" className="mx-5 mt-4">
              {t("receipt.notReceipt", { status: entryText("status", status, (word) => t(`statement.words.${word}`)) })}
            </Notice>
          )}
          <Sides receipt={receipt} />
          <Transaction receipt={receipt} />
          <p className="px-5 pt-4 text-sm text-muted tabular-nums">
            {t("receipt.issued", { day: formatDate(asOf, locale), time: formatTime(asOf, locale) })}
          </p>
          {isBooked ? <p className="px-5 pt-1 text-sm text-muted print:hidden">{t("receipt.pdfHint")}</p> : null}
        </article>
      </div>
    </>
  );
}

export default screen("app/(console)/accounts/[ref]/receipt/page", ReceiptPage);
