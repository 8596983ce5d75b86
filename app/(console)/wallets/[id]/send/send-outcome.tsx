import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import { Button, buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import type { SendAnswer } from "@/lib/wallets/view";

type SendOutcomeProps = {
  walletId: string;
  as: SendAnswer | { state: "UNCONFIRMED" };
  onAgain: () => void;
};

const WORDS = {
  DONE: { tone: "positive", title: "sent", body: "sentBody" },
  HELD: { tone: "warning", title: "held", body: "heldBody" },
  PROPOSED: { tone: "info", title: "proposed", body: "proposedBody" },
  UNCONFIRMED: { tone: "warning", title: "unconfirmed", body: "unconfirmedBody" },
} as const;

export function SendOutcome({ walletId, as, onAgain }: SendOutcomeProps) {
  const t = useTranslations("sendForm.outcome");
  const say = useTranslations("sendForm");
  const locale = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { tone, title, body } = WORDS[as.state];
  const hash = as.state === "DONE" ? as.hash : null;
  const hold = as.state === "HELD" ? as : null;
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
            <code className="font-mono text-sm wrap-anywhere">
              <ProviderText text={hash.txHash} />
            </code>
            <CopyButton text={hash.txHash} label={t("hash")} />
          </p>
          {hash.link === null ? null : <SafeLink link={hash.link} />}
        </div>
      )}
      {hold === null ? null : (
        <p className="wrap-anywhere tabular-nums">
          {t("holdUntil", {
            id: hold.antifraudId === null ? "none" : providerText(hold.antifraudId),
            until: hold.until === null ? "none" : formatDateTime(hold.until, locale),
          })}
        </p>
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
