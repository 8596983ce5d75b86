import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { TransferReview } from "@/lib/transfers/queries";

/** The provider refuses a transfer from or to a closed account. */
export function ClosingParties({ closing }: Pick<TransferReview, "closing">) {
  const t = useTranslations("transfers.closing");
  return closing.map(({ party, state }) => (
    <Notice key={party} tone="warning">
      {t(state, { party })}
    </Notice>
  ));
}
