import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import type { ReactNode } from "react";
import { LanguageSwitch, ThemeSwitch } from "./language-theme-switch";
import { Wordmark } from "@/components/layout/wordmark";
import { buttonClass } from "@/components/ui/button";
import { getScope, type SessionScope } from "@/lib/auth/queries";
import { getTheme } from "@/lib/preferences/queries";

export function Panel() {
  const t = useTranslations("signIn");
  const points = [
    { icon: "shield-check", text: t("sideKyc") },
    { icon: "landmark", text: t("sideAccounts") },
    { icon: "purse", text: t("sideWallets") },
  ] as const;
  return (
    <aside className="relative hidden overflow-hidden bg-panel text-panel-ink wide:flex wide:flex-col wide:justify-end">
      <svg viewBox="0 0 24 24" aria-hidden className="absolute -top-[8%] -right-[16%] h-[92%] fill-panel-raised">
        <path d="M6.5 5.5h3v13h-3zM10.75 5.5h2.6a4.15 4.15 0 0 1 0 8.3h-2.6zM11.2 15.05h3.7l2.9 3.45h-3.75z" />
      </svg>
      <div className="relative max-w-lg p-12">
        <h2 className="text-2xl font-semibold">{t("sideTitle")}</h2>
        <ul className="mt-6 space-y-3">
          {points.map(({ icon, text }) => (
            <li key={text} className="flex gap-3 text-panel-muted">
              <Icon of={icon} size={18} strokeWidth={1.6} className="mt-px shrink-0 text-panel-ink" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

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

export async function Threshold({ children }: { children: ReactNode }) {
  const [theme, scope] = await Promise.all([getTheme(), getScope()]);
  return (
    <div className="grid min-h-dvh wide:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 sm:px-10">
        <Wordmark />
        {scope === null ? null : <WhoIsSignedIn person={scope.person} />}
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
      <Panel />
    </div>
  );
}
