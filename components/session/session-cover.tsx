"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Cover } from "@/components/ui/cover";
import type { Ending } from "./use-scope-watch";

const ENDINGS = [
  "idle",
  "expired",
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
