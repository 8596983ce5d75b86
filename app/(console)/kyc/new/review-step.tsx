"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useRepeat } from "@/app/(console)/ordering/use-repeat";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { HeldDraft } from "@/components/use-draft";
import type { StartReview } from "@/lib/kyc-start";
import type { Failure } from "@/lib/result";
import { CaseLikenesses } from "./likenesses";
import { ReviewedForm } from "./reviewed-form";

type ReviewStepProps = {
  review: StartReview;
  draft: HeldDraft;
  pending: boolean;
  failure: Failure | null;
  onBack: () => void;
  /** `seen` are the likenesses that stood there. */
  onStart: (seen: string[]) => void;
};

/** What it costs and whether it was done before, in sight of what is about to be sent. */
export function ReviewStep({ review, draft, pending, failure, onBack, onStart }: ReviewStepProps) {
  const t = useTranslations("kycStart");
  const { type, model, documentscopy, likenesses, hasLetters, minors } = review;
  const heading = useRef<HTMLHeadingElement>(null);
  const repeat = useRepeat(likenesses);
  const price = t("price", { type, model });

  useEffect(() => heading.current?.focus(), []);

  const start = () => {
    if (repeat.isAgreed() && !pending) onStart(repeat.seen);
  };

  return (
    <div className="max-w-4xl px-5 pb-6">
      <h2 ref={heading} tabIndex={-1} className="py-5 text-md font-semibold outline-none">
        {t("reviewTitle")}
      </h2>
      <div className="space-y-4">
        <div className="rounded border border-accent bg-accent-tint px-4 py-3">
          <p className="text-md font-semibold tabular-nums">{price}</p>
          <p className="mt-0.5 text-sm">{t(documentscopy ? "priceWithDocumentscopy" : "priceWords")}</p>
        </div>
        {hasLetters ? <Notice tone="warning">{t("lettered")}</Notice> : null}
        {minors.map(({ name, age }, place) => (
          <Notice key={`${place} ${name}`} tone="warning">
            {t("minor", { name, age })}
          </Notice>
        ))}
        {likenesses.length > 0 ? <CaseLikenesses likenesses={likenesses} price={price} repeat={repeat} /> : null}
        <ReviewedForm review={review} draft={draft} />
        <div aria-live="assertive">
          {failure ? (
            <Notice tone="negative">
              <FailureText failure={failure} />
            </Notice>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
          <Button onClick={onBack}>{t("back")}</Button>
          {repeat.isBlocked ? null : (
            <Button tone="primary" isBusy={pending} onClick={start}>
              {pending ? t("starting") : t("start", { price })}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
