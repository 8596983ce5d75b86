import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { PixKeyButton } from "@/app/(console)/transfers/pix-key";
import { PageHeader } from "@/components/layout/page-header";
import { type Columns, DataTable } from "@/components/table/data-table";
import { ProviderText } from "@/components/layout/provider-text";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { type AccountView, getAccount, getBalance, listRecentAccounts } from "@/lib/accounts/queries";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { getTransferDrafts, getTransferFormState } from "@/lib/transfers/queries";
import { TRANSFER_KINDS, type TransferKind } from "@/lib/db/enums/transfers";
import { SourceForm } from "@/app/(console)/accounts/look-up-form";
import { TransferForm, UnfinishedTransfers } from "./transfer-form";

const PATH = "/transfers/new";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("transferForm"))("title") };
}

async function RecentAccounts({ kind }: { kind: TransferKind }) {
  const [recent, t, locale] = await Promise.all([listRecentAccounts(), getTranslations(), getLocale()]);
  const columns: Columns<(typeof recent)[number]> = {
    document: {
      header: t("accounts.columns.document"),
      width: "address",
      cell: ({ ref, document }) => (
        <Link
          href={hrefWith(PATH, { from: ref, type: kind === "INTERNAL" ? null : kind })}
          prefetch={false}
          className="row-link font-medium"
        >
          {document}
        </Link>
      ),
    },
    branch: {
      header: t("accounts.columns.branch"),
      width: "short",
      cell: ({ branch }) => <ProviderText text={branch} />,
    },
    number: {
      header: t("accounts.columns.number"),
      width: "text",
      cell: ({ number }) => <ProviderText text={number} />,
    },
    at: {
      header: t("accounts.columns.at"),
      width: "date",
      align: "end",
      from: "medium",
      cell: ({ at }) => formatDateTime(at, locale),
    },
  };
  return (
    <section aria-labelledby="recent">
      <h2 id="recent" className="border-y border-line bg-canvas px-5 py-2 text-sm font-medium text-muted">
        {t("transferForm.recent")}
      </h2>
      {recent.length === 0 ? (
        <p className="px-5 py-6 text-muted">{t("transferForm.recentEmpty")}</p>
      ) : (
        <DataTable label={t("transferForm.recent")} columns={columns} rows={recent} keyOf={({ ref }) => ref} />
      )}
    </section>
  );
}

type FillingProps = { account: AccountView; kind: TransferKind; draftId: string | null };

async function Filling({ account, kind, draftId: wanted }: FillingProps) {
  const { ref } = account;
  const [form, balance] = await Promise.allSettled([
    getTransferFormState({ kind, from: ref, draftId: wanted }),
    getBalance(ref),
  ]);
  if (form.status === "rejected") throw form.reason;
  if (form.value === null) return null;
  const { draftId } = form.value.draft;
  // The provider checks the balance itself, so the form works without it.
  const read = balance.status === "fulfilled" ? balance.value : null;
  return (
    <TransferForm key={`${kind} ${ref} ${draftId}`} kind={kind} account={account} balance={read} form={form.value} />
  );
}

async function NewTransferPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { permissions } = await requireScope();
  if (!permissions.includes("transfers:create")) return <ForbiddenView screen="transferForm" />;
  const { from, type, draft } = await searchParams;
  const kind = TRANSFER_KINDS.find((one) => one === type) ?? "INTERNAL";
  const [account, t] = await Promise.all([typeof from === "string" ? getAccount(from) : null, getTranslations()]);
  const choices = TRANSFER_KINDS.map((one) => ({
    href: hrefWith(PATH, { from: account?.ref, type: one === "INTERNAL" ? null : one }),
    label: t(`transfers.kinds.${one}`),
    isCurrent: one === kind,
  }));
  return (
    <>
      <PageHeader title={t("transferForm.title")} parent={{ href: "/transfers", label: t("transfers.title") }}>
        <PixKeyButton denial={null} />
      </PageHeader>
      <div className="border-b border-line px-5 pb-3">
        <ChoiceLinks label={t("transferForm.about")} choices={choices} />
      </div>
      {account === null ? (
        <>
          <UnfinishedTransfers drafts={await getTransferDrafts()} />
          <SourceForm kind={kind} />
          <RecentAccounts kind={kind} />
        </>
      ) : (
        <Filling account={account} kind={kind} draftId={typeof draft === "string" ? draft : null} />
      )}
    </>
  );
}

export default screen("app/(console)/transfers/new/page", NewTransferPage);
