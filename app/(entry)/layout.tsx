import { getTranslations } from "next-intl/server";
import Link from "next/link";
import type { ReactNode } from "react";
import { LanguageSwitch, ThemeSwitch } from "@/app/language-theme-switch";
import { Wordmark } from "@/components/layout/wordmark";
import { buttonClass } from "@/components/ui/button";
import { getScope, type SessionScope } from "@/lib/auth/queries";
import { getTheme } from "@/lib/preferences/queries";
import { SidePanel } from "./side-panel";

async function WhoIsSignedIn({ person: { name, email } }: Pick<SessionScope, "person">) {
  const t = await getTranslations();
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded border border-line px-3 py-2">
      <p className="min-w-0 text-sm wrap-anywhere text-muted">{t("shell.signedInAs", { name, email })}</p>
      <Link href="/" prefetch={false} className={buttonClass("plain", "small")}>
        {t("absent.goHome")}
      </Link>
    </div>
  );
}

export default async function EntryLayout({ children }: { children: ReactNode }) {
  const [theme, scope] = await Promise.all([getTheme(), getScope()]);
  return (
    <div className="grid min-h-dvh wide:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 medium:px-10">
        <div className="w-full max-w-92 self-center">
          <Wordmark />
          {scope === null ? null : <WhoIsSignedIn person={scope.person} />}
        </div>
        <div className="my-auto w-full max-w-92 self-center py-10">{children}</div>
        <div className="flex w-full max-w-92 gap-3 self-center">
          <div className="flex-1">
            <LanguageSwitch />
          </div>
          <div className="flex-1">
            <ThemeSwitch current={theme} />
          </div>
        </div>
      </main>
      <SidePanel />
    </div>
  );
}
