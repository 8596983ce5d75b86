import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { getOwnFactors, listOwnSessions, type OwnFactors } from "@/lib/auth/queries";
import { formatDate } from "@/lib/text/format";
import { getOwnMails } from "@/lib/preferences/queries";
import { FactorActions, PasswordChange, RenewCodes } from "./factor-actions";
import { MailChoices } from "./mail-choices";
import { Passkeys } from "./passkeys";
import { SessionList } from "./session-list";

/** With so few codes left, losing the phone is close to losing the account. */
const FEW_CODES = 3;

async function FactorSection({ factors }: { factors: OwnFactors }) {
  const [t, locale] = await Promise.all([getTranslations("factors"), getLocale()]);
  const { since, recoveryCodesLeft, passkeys, isRequired, hasPassword } = factors;
  return (
    <section aria-labelledby="factors">
      <h2 id="factors" className="px-5 pt-5 pb-2.5 font-semibold">
        {t("ways")}
      </h2>
      <DescriptionList>
        <Described name={t("section")}>
          <Badge tone={since === null ? "neutral" : "positive"}>
            {since === null ? t("off") : t("on", { date: formatDate(since.toISOString(), locale) })}
          </Badge>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">{t(since === null ? "offLead" : "onLead")}</span>
          <FactorActions isOn={since !== null} isRequired={isRequired} />
        </Described>
        {since === null ? null : (
          <Described name={t("codesName")}>
            <span className="min-w-0 flex-1 basis-60">{t("codesLeft", { count: recoveryCodesLeft })}</span>
            <RenewCodes />
            {recoveryCodesLeft > FEW_CODES ? null : (
              <Notice tone="warning" className="w-full">
                {t("codesFew")}
              </Notice>
            )}
          </Described>
        )}
        <Described name={t("passkeys")}>
          <Passkeys passkeys={passkeys} hasApp={since !== null} />
        </Described>
        <Described name={t("password")}>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">
            {hasPassword ? t("passwordLead") : t("passwordNone")}
          </span>
          {hasPassword ? <PasswordChange /> : null}
        </Described>
      </DescriptionList>
    </section>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("security"))("title") };
}

async function SecurityPage() {
  const [sessions, factors, mails, t] = await Promise.all([
    listOwnSessions(),
    getOwnFactors(),
    getOwnMails(),
    getTranslations("security"),
  ]);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="border-t border-line pb-8">
        <SessionList sessions={sessions} now={new Date().toISOString()} />
        {factors === null ? null : <FactorSection factors={factors} />}
        {mails === null ? null : <MailChoices mails={mails} />}
      </div>
    </>
  );
}

export default screen("app/(console)/security/page", SecurityPage);
