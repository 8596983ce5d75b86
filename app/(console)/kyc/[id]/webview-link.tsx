"use client";

import { useLocale, useTranslations } from "next-intl";
import { LinkActions, LinkUses } from "@/components/links/link-actions";
import { handOverWebview } from "@/lib/kyc/actions";
import type { KycCaseView } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";
import { hostOrName } from "@/lib/text/safe-link";

type WebviewLinkProps = {
  kycUUID: string;
  document: string;
  webview: KycCaseView["webviews"][number];
  denial: string | null;
};

/** There is no link to open: the check is the holder's. */
export function WebviewLink({ kycUUID, document, webview, denial }: WebviewLinkProps) {
  const t = useTranslations("kycCase");
  const handOver = useTranslations("handOver");
  const locale = useLocale();
  const { key: link, host, isSafe, uses, newsAt } = webview;
  const unsafe = host === "" ? handOver("linkUnsafe") : handOver("linkUnsafeHost", { host });
  return (
    <>
      <span className="wrap-anywhere">{isSafe ? hostOrName(host, t("webview")) : unsafe}</span>
      {isSafe ? (
        <div className="basis-full">
          <LinkActions
            take={handOverWebview}
            inputOf={(use) => ({ kycUUID, link, use })}
            words={{
              title: t("webview"),
              body: t("webviewBody", { document }),
              warning: t("webviewWarning"),
              labelOf: (at) => t("webviewLabel", { host: at }),
            }}
            denial={denial}
          />
          <div className="mt-1.5 text-sm">
            <LinkUses uses={uses} />
            {uses.length === 0 ? null : (
              <p className="text-muted tabular-nums">
                {newsAt === null ? t("webviewSilent") : t("webviewNews", { time: formatDateTime(newsAt, locale) })}
              </p>
            )}
          </div>
        </div>
      ) : null}
    </>
  );
}
