"use client";

import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { ChoiceField } from "@/components/ui/choice-field";
import { FormDialog } from "@/components/form/form-dialog";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { useAction } from "@/components/session/use-action";
import { formatDateTime } from "@/lib/text/format";
import { joinAttempts } from "@/lib/onboarding/actions";
import type { AttemptView } from "@/lib/onboarding/queries";

type JoinDialogProps = { id: string; joinable: readonly AttemptView[]; onClose: () => void };

export function JoinDialog({ id, joinable, onClose }: JoinDialogProps) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  const router = useRouter();
  const name = useId();
  const { pending, failure, run } = useAction(joinAttempts);
  const [older, setOlder] = useState(joinable[0]?.id ?? "");

  const submit = () =>
    run({ id, older }, () => {
      onClose();
      router.refresh();
    });
  return (
    <FormDialog
      title={t("joinTitle")}
      description={t("joinBody")}
      submitLabel={t("joinSubmit")}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChoiceField legend={t("joinChoice")}>
        <div className="divide-y divide-line rounded border border-line">
          {joinable.map((attempt) => (
            <label key={attempt.id} className="flex items-center gap-3 px-3 py-2 hover:bg-hover">
              <input
                type="radio"
                name={name}
                value={attempt.id}
                checked={older === attempt.id}
                onChange={() => setOlder(attempt.id)}
              />
              <span className="tabular-nums">
                {t("begunOn", { time: formatDateTime(attempt.firstSeenAt, locale) })}
              </span>
              <OnboardingStatusBadge status={attempt.status} />
            </label>
          ))}
        </div>
      </ChoiceField>
    </FormDialog>
  );
}
