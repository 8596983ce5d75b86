import { useTranslations } from "next-intl";
import Link from "next/link";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import type { EarlierAttempt } from "@/lib/account-creation";
import { prefillAccount } from "@/lib/onboarding/actions";

type EarlierNoticeProps = {
  earlier: EarlierAttempt;
  /** Something stands in the form that would be replaced. */
  isFilled: boolean;
  onTake: (fields: Record<string, string>) => void;
};

/** What is taken up again, and the way to what was told then: personal data, so only for who asks for it. */
export function EarlierNotice({ earlier, isFilled, onTake }: EarlierNoticeProps) {
  const t = useTranslations("accountForm");
  const { pending, failure, run } = useAction(prefillAccount);
  const { id, document, isOurs } = earlier;
  return (
    <section aria-label={t("earlierTitle", { document })} className="max-w-4xl px-5 py-4">
      <Notice tone="info" className="px-4 py-3">
        <p className="font-medium tabular-nums">{t("earlierTitle", { document })}</p>
        <p className="mt-1">
          {t("earlierBody")}{" "}
          <Link href={`/onboarding/${id}`} prefetch={false} target="_blank" className="text-accent underline">
            {t("earlierOpen")}
          </Link>
        </p>
        <p className="mt-2">
          {t(isOurs ? "takeOverOurs" : "takeOverElsewhere")} {isFilled ? t("replaces") : null}
        </p>
        <Button size="small" className="mt-2" isBusy={pending} onClick={() => run({ from: id }, onTake)}>
          {t("takeOver")}
        </Button>
        {failure ? (
          <p aria-live="assertive" className="mt-2 text-negative">
            <FailureText failure={failure} />
          </p>
        ) : null}
      </Notice>
    </section>
  );
}
