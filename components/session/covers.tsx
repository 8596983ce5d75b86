"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { Action } from "@/lib/action";
import { screenAddress } from "@/lib/text/page";
import { useScope } from "./scope";
import { EnvironmentBadge } from "@/components/layout/badges";
import { FailureNotice } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Cover } from "@/components/ui/cover";
import { useAction } from "./use-action";
import type { ScopeNow, Ending } from "./use-scope-watch";
import type { ReactNode } from "react";

type MovedProps = { shown: ScopeNow; now: ScopeNow };
type ScopeCoverProps = MovedProps & { switchTenant: Action<string, string> };

const CHOICES = "mt-5 flex flex-wrap justify-end gap-2";

export function ScopeCover({ switchTenant, ...moved }: ScopeCoverProps) {
  const [person] = moved.shown.id.split(":");
  const isSamePerson = moved.now.id.startsWith(`${person}:`);
  return isSamePerson ? <TenantCover {...moved} switchTenant={switchTenant} /> : <PersonCover {...moved} />;
}

function PersonCover({ shown, now }: MovedProps) {
  const t = useTranslations("scope");
  return (
    <Cover
      title={t("coveredPerson", { shown: shown.person.name })}
      description={<p>{t("personBody", { now: now.person.name })}</p>}
    >
      <div className={CHOICES}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {t("reload")}
        </Button>
      </div>
    </Cover>
  );
}

function TenantName({ tenant }: { tenant: ScopeNow["tenant"] }) {
  return (
    <>
      <strong className="font-semibold">{tenant.name}</strong> <EnvironmentBadge environment={tenant.environment} />
    </>
  );
}

function TenantCover({ shown, now, switchTenant }: ScopeCoverProps) {
  const t = useTranslations("scope");
  const { pending, failure, run } = useAction(switchTenant);
  const { revalidate, announce, unsaved } = useScope();
  const hasUnsaved = unsaved.hasUnsaved();
  const router = useRouter();
  const goBack = () =>
    run(shown.tenant.clientId, (scope) => {
      announce(scope);
      revalidate();
      router.refresh();
    });
  const shownTenant = <TenantName tenant={shown.tenant} />;
  const tenantNow = <TenantName tenant={now.tenant} />;
  const description = (
    <>
      <p>{t.rich("movedBody", { shown: () => shownTenant, now: () => tenantNow })}</p>
      <p className="text-muted">
        {t("nothingLeaves")} {hasUnsaved ? t("writtenStays") : null}
      </p>
    </>
  );
  return (
    <Cover title={t("covered")} description={description}>
      <FailureNotice failure={failure} className="mt-4" />
      <div className={CHOICES}>
        <Button className="max-w-full" onClick={() => window.location.assign(screenAddress(window.location.pathname))}>
          <span className="truncate">{t("goOn", { now: now.tenant.name })}</span>
        </Button>
        <Button tone="primary" isBusy={pending} className="max-w-full" onClick={goBack}>
          <span className="truncate">{pending ? t("switching") : t("goBack", { shown: shown.tenant.name })}</span>
        </Button>
      </div>
    </Cover>
  );
}

const ENDINGS = [
  "idle",
  "expired",
  "address",
  "ended-by-owner",
  "ended-by-admin",
  "roles-changed",
  "disabled",
  "password-changed",
  "factor-changed",
  "linked",
] as const;

const isKnown = (reason: Ending): reason is (typeof ENDINGS)[number] => ENDINGS.some((known) => known === reason);

type SessionCoverProps = {
  person: string;
  reason: Ending;
  hasUnsaved: boolean;
  signIn: ReactNode;
};

export function SessionCover({ person, reason, hasUnsaved, signIn }: SessionCoverProps) {
  const t = useTranslations("session");
  const description = (
    <>
      <p>{t(`ended.${isKnown(reason) ? reason : "unknown"}`)}</p>
      <p className="text-muted">{hasUnsaved ? t("kept", { person }) : t("afresh")}</p>
    </>
  );
  return (
    <Cover title={t("endedTitle")} description={description}>
      <div className="mt-5">{signIn}</div>
    </Cover>
  );
}
