"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAction } from "@/components/session/use-action";
import { FailureNotice } from "@/components/layout/failure-text";
import { Notice } from "@/components/ui/notice";
import { chooseMail } from "@/lib/preferences/actions";
import type { OwnMails } from "@/lib/mail/view";

export function MailChoices({ mails }: { mails: OwnMails }) {
  const t = useTranslations("mails");
  const { pending, failure, run } = useAction(chooseMail);
  const [{ isOff, choices }, setMails] = useState(mails);
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className="px-5 pt-5 pb-2.5 font-semibold">
        {t("title")}
      </h2>
      <div className="space-y-2 border-y border-line px-5 py-3">
        {isOff ? <Notice tone="warning">{t("off")}</Notice> : null}
        <p className="text-sm text-muted">{t("lead")}</p>
        {choices.map(({ choice, isOn }) => (
          <label key={choice} className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              checked={isOn}
              aria-disabled={pending}
              onChange={() => run({ choice, isOn: !isOn }, setMails)}
            />
            {t(`choices.${choice}`)}
          </label>
        ))}
        <FailureNotice failure={failure} />
      </div>
    </section>
  );
}
