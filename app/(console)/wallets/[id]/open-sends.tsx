import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { ChainList } from "@/app/(console)/outcomes/chain-list";
import { LiveRefresh } from "@/components/live/live-refresh";
import { RecordSection } from "@/components/layout/record-columns";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";
import type { OpenSend } from "@/lib/wallets/view";

type OpenSendsProps = { sends: readonly OpenSend[]; seesOutcomes: boolean };

export function OpenSends({ sends, seesOutcomes }: OpenSendsProps) {
  const t = useTranslations("wallets.openSends");
  const locale = useLocale();
  const sentence = ({ state, order, antifraudId, until }: OpenSend) =>
    t(state, {
      hold: antifraudId === null ? "none" : providerText(antifraudId),
      until: until === null ? "none" : formatDateTime(until, locale),
      known: order === null ? "no" : "yes",
      sum: order === null ? "" : providerText(`${formatCrypto(order.amount, locale)} ${order.asset}`),
      to: order === null ? "" : providerText(shortAddress(order.to)),
    });
  const hrefOf = ({ state, approvalId, isShown }: OpenSend) => {
    if (state === "UNKNOWN" && seesOutcomes) return "/outcomes";
    return isShown ? `/approvals/${approvalId}` : null;
  };
  if (sends.length === 0) return null;
  return (
    <RecordSection id="open-sends" title={t("title")}>
      <ul className="divide-y divide-line border-y border-line">
        {sends.map((send) => {
          const href = hrefOf(send);
          return (
            <li key={send.intentId} className="px-5 py-2 wrap-anywhere tabular-nums">
              {send.approvalId === null ? null : <LiveRefresh topics={["approvals"]} object={send.approvalId} />}
              {href === null ? (
                sentence(send)
              ) : (
                <Link href={href} prefetch={false} className="text-accent hover:underline">
                  {sentence(send)}
                </Link>
              )}
              {send.candidates.length === 0 ? null : (
                <div className="space-y-1 pt-1 text-sm">
                  <ChainList candidates={send.candidates} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </RecordSection>
  );
}
