import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LanguageSwitch } from "@/app/language-switch";
import { ThemeSwitch } from "@/app/theme-switch";
import { ClientMessages } from "@/components/client-messages";
import { Wordmark } from "@/components/wordmark";
import { getDesk } from "@/lib/auth/queries";
import { getTheme } from "@/lib/preferences/queries";
import { listDemoSignIns } from "@/lib/staff/queries";
import { Panel } from "./panel";
import { SignInForm } from "./sign-in-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("signIn"))("title") };
}

export default async function SignInPage() {
  const [desk, theme, t] = await Promise.all([getDesk(), getTheme(), getTranslations("signIn")]);
  if (desk) redirect("/");
  return (
    <div className="grid min-h-dvh desk:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 sm:px-10">
        <Wordmark />
        <div className="my-auto w-full max-w-92 self-center py-10">
          <h1 className="mb-5 text-xl font-semibold">{t("title")}</h1>
          <ClientMessages namespaces={["signIn", "roles"]}>
            <SignInForm demo={listDemoSignIns()} />
          </ClientMessages>
        </div>
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
