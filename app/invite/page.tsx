import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LanguageSwitch } from "@/app/language-switch";
import { Panel } from "@/app/sign-in/panel";
import { ThemeSwitch } from "@/app/theme-switch";
import { ClientMessages } from "@/components/client-messages";
import { Wordmark } from "@/components/wordmark";
import { getTheme } from "@/lib/preferences/queries";
import { graveRoles } from "@/lib/staff/queries";
import { InvitationPanel } from "./invitation-panel";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("invite"))("title") };
}

/** Where an invitation's link leads. What it carries stands behind the `#`, so this page is the same for everybody. */
export default async function InvitePage() {
  const theme = await getTheme();
  return (
    <div className="grid min-h-dvh desk:grid-cols-[minmax(26rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 sm:px-10">
        <Wordmark />
        <div className="my-auto w-full max-w-92 self-center py-10">
          <ClientMessages namespaces={["invite", "roles"]}>
            <InvitationPanel graveRoles={graveRoles} />
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
