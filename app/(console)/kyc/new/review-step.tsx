"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { PossibleDuplicates, DuplicateLine } from "@/app/(console)/write-checks/possible-duplicates";
import { type Repeat, useRepeat } from "@/app/(console)/write-checks/use-repeat";
import type { FormDraft } from "@/components/form/draft-saver";
import { KycStatusBadge } from "@/components/layout/badges";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { FailureNotice } from "@/components/layout/failure-text";
import { SlowNote } from "@/components/layout/slow-note";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";
import { type PossibleDuplicate, MEMBER_TYPES, REPEAT_DAYS, type StartReview } from "@/lib/kyc/view";
import { formatDate } from "@/lib/text/format";
import { ownerAt, partnersOf } from "./use-start";

function CaseLine({ duplicate }: { duplicate: PossibleDuplicate }) {
  const t = useTranslations("kycStart");
  const locale = useLocale();
  const { kycUUID, at, byName, status, isSame } = duplicate;
  const isDecided = status === "APPROVED" || status === "REPROVED";
  const date = formatDate(at, locale);
  return (
    <DuplicateLine
      words="kycStart"
      text={isSame ? t("likeSame", { date, name: byName ?? "" }) : t(isDecided ? "likeDecided" : "likeCase", { date })}
      status={
        status === null ? <span className="text-muted">{t("likeUnknown")}</span> : <KycStatusBadge status={status} />
      }
      href={kycUUID === null ? null : `/kyc/${encodeURIComponent(kycUUID)}`}
    />
  );
}

type CaseDuplicatesProps = { duplicates: readonly PossibleDuplicate[]; price: string; repeat: Repeat };

function CaseDuplicates({ duplicates, price, repeat }: CaseDuplicatesProps) {
  const t = useTranslations("kycStart");
  return (
    <PossibleDuplicates
      words="kycStart"
      title={t("likeTitle", { days: REPEAT_DAYS })}
      again={t("again", { price })}
      repeat={repeat}
    >
      {duplicates.map((duplicate) => (
        <CaseLine key={duplicate.ref} duplicate={duplicate} />
      ))}
    </PossibleDuplicates>
  );
}

function Individual({ draft, prefix = "" }: { draft: FormDraft; prefix?: string }) {
  const t = useTranslations("kycStart");
  const typed = (part: string) => draft.value(`${prefix}${part}`).trim();
  return (
    <>
      <Described name={t("cpf")}>
        <span className="tabular-nums">{typed("vatNumber")}</span>
      </Described>
      <Described name={t("name")}>{typed("name")}</Described>
      <Described name={t("birthDate")}>
        <span className="tabular-nums">{typed("birthDate")}</span>
      </Described>
      <Described name={t("motherName")}>{typed("motherName")}</Described>
    </>
  );
}

function ReviewedForm({ review, draft }: { review: StartReview; draft: FormDraft }) {
  const t = useTranslations("kycStart");
  const { type, model, documentscopy } = review;
  const check = (
    <Described name={t("model")}>
      {t(`models.${model}.name`)} · {t(documentscopy ? "withDocumentscopy" : "withoutDocumentscopy")}
    </Described>
  );
  if (type === "PF") {
    return (
      <DescriptionList>
        {check}
        <Individual draft={draft} />
      </DescriptionList>
    );
  }
  const ownerName = (index: number) => {
    const known = MEMBER_TYPES.find((name) => name === ownerAt(draft, index));
    return known === undefined ? "" : t(`ownerTypes.${known}`);
  };
  return (
    <>
      <DescriptionList>
        {check}
        <Described name={t("cnpj")}>
          <span className="tabular-nums">{draft.value("vatNumber").trim()}</span>
        </Described>
        <Described name={t("legalName")}>{draft.value("legalName").trim()}</Described>
      </DescriptionList>
      {Array.from({ length: partnersOf(draft) }, (_, index) => (
        <section key={index} aria-label={t("partner", { number: index + 1 })}>
          <h3 className="mb-2 font-medium">
            {t("partner", { number: index + 1 })} · {ownerName(index)}
          </h3>
          <DescriptionList>
            <Individual draft={draft} prefix={`qsa.${index}.`} />
          </DescriptionList>
        </section>
      ))}
    </>
  );
}

type ReviewStepProps = {
  review: StartReview;
  draft: FormDraft;
  pending: boolean;
  failure: Failure | null;
  onBack: () => void;
  onStart: (seen: string[]) => void;
};

export function ReviewStep({ review, draft, pending, failure, onBack, onStart }: ReviewStepProps) {
  const t = useTranslations("kycStart");
  const { type, model, documentscopy, duplicates, hasLetters, minors } = review;
  const heading = useRef<HTMLHeadingElement>(null);
  const repeat = useRepeat(duplicates);
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
        {minors.map(({ name, age }, index) => (
          <Notice key={`${index} ${name}`} tone="warning">
            {t("minor", { name, age })}
          </Notice>
        ))}
        {duplicates.length > 0 ? <CaseDuplicates duplicates={duplicates} price={price} repeat={repeat} /> : null}
        <ReviewedForm review={review} draft={draft} />
        <FailureNotice failure={failure} />
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
          {pending ? <SlowNote of="unanswered" className="basis-full text-end" /> : null}
          <Button onClick={onBack}>{t("back")}</Button>
          {repeat.isBlocked ? null : (
            <Button tone="primary" isBusy={pending} onClick={start}>
              {pending ? t("starting") : t("start")}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
