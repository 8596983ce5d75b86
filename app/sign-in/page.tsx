import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LanguageSwitch } from "@/app/language-switch";
import { ThemeSwitch } from "@/app/theme-switch";
import { ClientMessages } from "@/components/client-messages";
import { Wordmark } from "@/components/wordmark";
import { getEntrance } from "@/lib/auth/queries";
import { getTheme } from "@/lib/preferences/queries";
import { listDemoSignIns } from "@/lib/staff/queries";
import { Panel } from "./panel";
import { SignInForm } from "./sign-in-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("signIn"))("title") };
}

/** What single sign-on may have ended with; whatever else brought somebody back from it did not work. */
const ENDINGS = ["sso-unverified", "sso-taken", "sso-disabled", "sso-unmapped"] as const;

type SignInPageProps = { searchParams: Promise<{ error?: string | string[] }> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const [entrance, theme, t, { error }] = await Promise.all([
    getEntrance(),
    getTheme(),
    getTranslations("signIn"),
    searchParams,
  ]);
  if (entrance.leadsTo !== null) redirect(entrance.leadsTo);
  const notice = error === undefined ? null : t(ENDINGS.find((ending) => ending === error) ?? "sso-failed");
  return (
    <div className="grid min-h-dvh desk:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 sm:px-10">
        <Wordmark />
        <div className="my-auto w-full max-w-92 self-center py-10">
          <ClientMessages namespaces={["signIn", "roles"]}>
            <SignInForm
              demo={listDemoSignIns()}
              isHalfWayIn={entrance.isHalfWayIn}
              hasSingleSignOn={entrance.hasSingleSignOn}
              notice={notice}
            />
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
