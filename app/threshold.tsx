import type { ReactNode } from "react";
import { LanguageSwitch } from "@/app/language-switch";
import { Panel } from "@/app/sign-in/panel";
import { ThemeSwitch } from "@/app/theme-switch";
import { Wordmark } from "@/components/layout/wordmark";
import { getTheme } from "@/lib/preferences/queries";

export async function Threshold({ children }: { children: ReactNode }) {
  const theme = await getTheme();
  return (
    <div className="grid min-h-dvh desk:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 sm:px-10">
        <Wordmark />
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
