"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { UnconfirmedList, UnconfirmedOrder } from "@/app/(console)/write-checks/unconfirmed-order";
import { useAction } from "@/components/session/use-action";
import { ProviderText } from "@/components/layout/provider-text";
import { shortAddress } from "@/lib/text/short";
import { reconcileWallet } from "@/lib/wallets/actions";
import type { UnconfirmedWallet, WalletCandidate } from "@/lib/wallets/view";

function ShownWallet({ walletId, address }: WalletCandidate) {
  return (
    <Link
      href={`/wallets/${encodeURIComponent(walletId)}`}
      prefetch={false}
      target="_blank"
      className="font-mono text-accent underline"
    >
      <ProviderText text={shortAddress(address)} />
    </Link>
  );
}

function useTitle({ kind, family, reference, customer, isUnopened }: UnconfirmedWallet): string {
  const t = useTranslations();
  const named = reference ?? customer ?? (isUnopened ? t("common.unopened") : null);
  const what = `${t(`walletForm.kinds.${kind}`)} · ${t(`wallets.filters.${family}`)}`;
  return named === null ? what : `${named} · ${what}`;
}

function UnconfirmedItem({ request }: { request: UnconfirmedWallet }) {
  const router = useRouter();
  const title = useTitle(request);
  const { pending, failure, run } = useAction(reconcileWallet);
  const { intentId } = request;
  const candidates = request.candidates.map((candidate) => ({
    id: candidate.walletId,
    firstSeenAt: candidate.firstSeenAt,
    shown: <ShownWallet {...candidate} />,
  }));
  return (
    <UnconfirmedOrder
      words="walletForm"
      title={title}
      order={request}
      candidates={candidates}
      pending={pending}
      failure={failure}
      onReconcile={(walletId) => run({ intentId, walletId }, () => router.refresh())}
    />
  );
}

export function UnconfirmedWallets({ requests }: { requests: readonly UnconfirmedWallet[] }) {
  if (requests.length === 0) return null;
  return (
    <UnconfirmedList words="walletForm">
      {requests.map((request) => (
        <UnconfirmedItem key={request.intentId} request={request} />
      ))}
    </UnconfirmedList>
  );
}
