import { useLocale, useTranslations } from "next-intl";
import { WalletOwner } from "@/app/(console)/wallets/wallet-owner";
import { GroupedAddress } from "@/components/table/grouped-address";
import { ProviderText } from "@/components/layout/provider-text";
import { formatDateTime } from "@/lib/text/format";
import { ListedValue } from "./approval-words";
import type { Value } from "./spoken-value";

function Sends({ value: { sends } }: { value: Extract<Value, { as: "sends" }> }) {
  const t = useTranslations("approvals.coinFacts");
  const locale = useLocale();
  if (sends.length === 0) return <span className="font-normal text-muted">{t("sentNone")}</span>;
  return (
    <ul className="space-y-1">
      {sends.map(({ at, txHash }) => (
        <li key={`${at} ${txHash}`} className="tabular-nums">
          {formatDateTime(at, locale)}
          {txHash === null ? (
            <span className="block font-normal text-muted">{t("hashUntold")}</span>
          ) : (
            <code className="block font-mono text-sm font-normal wrap-anywhere">
              <ProviderText text={txHash} />
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Alike({ found }: { found: Extract<Value, { as: "alike" }>["found"] }) {
  const t = useTranslations("sendForm.knownAs");
  return (
    <ul className="space-y-1.5">
      {found.map(({ address, as }) => (
        <li key={address}>
          <GroupedAddress address={address} />
          <span className="block text-sm font-normal text-muted">{t(as)}</span>
        </li>
      ))}
    </ul>
  );
}

export function ShownValue({ value }: { value: Value }) {
  if (value.as === "address") return <GroupedAddress address={value.address} />;
  if (value.as === "wallet") return <WalletOwner ours={value} />;
  if (value.as === "sends") return <Sends value={value} />;
  if (value.as === "alike") return <Alike found={value.found} />;
  return <ListedValue value={value} />;
}
