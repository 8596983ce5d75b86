import { useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import { Button, buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Network } from "@/lib/contract/crypto";
import { explorerLink, type SendAnswer } from "@/lib/wallets/view";

type SendOutcomeProps = {
  walletId: string;
  network: Network;
  as: SendAnswer | { state: "UNCONFIRMED" };
  onAgain: () => void;
};

const WORDS = {
  DONE: { tone: "positive", title: "sent", body: "sentBody" },
  HELD: { tone: "warning", title: "held", body: "heldBody" },
  PROPOSED: { tone: "info", title: "proposed", body: "proposedBody" },
  UNCONFIRMED: { tone: "warning", title: "unconfirmed", body: "unconfirmedBody" },
} as const;

export function SendOutcome({ walletId, network, as, onAgain }: SendOutcomeProps) {
  const [t, say] = [useTranslations("sendForm.outcome"), useTranslations("sendForm")];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { tone, title, body } = WORDS[as.state];
  const hash = as.state === "DONE" ? as.txHash : null;
  const explorer = hash === null ? null : explorerLink(network, hash);
  return (
    <div className="max-w-4xl space-y-4 px-5 py-5">
      <h2 ref={heading} tabIndex={-1} className="text-md font-semibold outline-none">
        {t(title)}
      </h2>
      <Notice tone={tone}>{as.state === "DONE" && hash === null ? t("sentUnreported") : t(body)}</Notice>
      {hash === null ? null : (
        <div>
          <p className="text-sm text-muted">{t("hash")}</p>
          <p className="flex items-center gap-1">
            <code className="font-mono text-sm wrap-anywhere">{hash}</code>
            <CopyButton text={hash} label={t("hash")} />
          </p>
          {explorer === null ? null : <SafeLink link={explorer} />}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {as.state === "PROPOSED" ? (
          <Link href={`/approvals/${as.approvalId}`} prefetch={false} className={buttonClass("primary")}>
            {t("proposal")}
          </Link>
        ) : null}
        {as.state === "UNCONFIRMED" ? (
          <Link href="/outcomes" prefetch={false} className={buttonClass("primary")}>
            {say("seeUnconfirmed")}
          </Link>
        ) : null}
        <Link href={`/wallets/${encodeURIComponent(walletId)}`} prefetch={false} className={buttonClass("plain")}>
          {t("wallet")}
        </Link>
        {as.state === "UNCONFIRMED" ? null : <Button onClick={onAgain}>{t("again")}</Button>}
      </div>
    </div>
  );
}
