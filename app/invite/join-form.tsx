"use client";

import { useTranslations } from "next-intl";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { joinByInvitation } from "@/lib/staff/actions";

type JoinFormProps = { tenant: string; token: string; onDone: () => void };

export function JoinForm({ tenant, token, onDone }: JoinFormProps) {
  const t = useTranslations("invite");
  const { pending, failure, run } = useAction(joinByInvitation);
  return (
    <>
      <div role="alert">
        {failure ? (
          <Notice tone="negative" className="mb-4">
            <FailureText failure={failure} />
          </Notice>
        ) : null}
      </div>
      <Button tone="primary" size="large" isBusy={pending} onClick={() => run({ token }, onDone)} className="w-full">
        {t("join", { tenant })}
      </Button>
    </>
  );
}
