import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SignOutButton } from "@/app/(console)/shell/panels";
import { SidePanel } from "@/app/(entry)/side-panel";
import { ClientMessages } from "@/app/client-messages";
import { Wordmark } from "@/components/layout/wordmark";
import { requireEnrolling } from "@/lib/auth/queries";
import { EnrolPanel, RequiredEnrolment } from "./enrolment-steps";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("factors"))("title") };
}

export default async function EnrolPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const [enrolling, t] = await Promise.all([requireEnrolling(next), getTranslations()]);
  return (
    <div className="grid min-h-dvh wide:grid-cols-[minmax(30rem,5fr)_6fr]">
      <main className="flex flex-col bg-surface px-6 py-7 medium:px-10">
        <div className="w-full max-w-104 self-center">
          <Wordmark />
        </div>
        <div className="my-auto w-full max-w-104 self-center py-10">
          <h1 className="text-xl font-semibold">{t("factors.title")}</h1>
          <p className="mt-1.5 mb-6 text-sm text-muted">{t("factors.requiredLead", { email: enrolling.email })}</p>
          <ClientMessages of="app/enrol/page">
            <EnrolPanel id={enrolling.scope}>
              <RequiredEnrolment leadsTo={enrolling.leadsTo} />
            </EnrolPanel>
          </ClientMessages>
        </div>
        <div className="w-full max-w-104 self-center">
          <SignOutButton label={t("shell.signOut")} failure={t("shell.signOutFailed")} />
        </div>
      </main>
      <SidePanel />
    </div>
  );
}
