import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { redirect } from "next/navigation";
import { SignOutButton } from "@/app/(console)/shell/panels";
import { ClientMessages } from "@/app/client-messages";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { getRefusedAddress } from "@/lib/auth/queries";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("refusedAddress"))("title") };
}

export default async function RefusedPage() {
  const [refused, t] = await Promise.all([getRefusedAddress(), getTranslations()]);
  if (refused === null) redirect("/");
  const { address, company } = refused;
  return (
    <ClientMessages of="app/(entry)/refused/page">
      <h1 className="text-xl font-semibold">{t("refusedAddress.title")}</h1>
      <p className="mt-2 text-muted">{t("refusedAddress.body", { company })}</p>
      <dl className="mt-5 rounded border border-line px-3 py-2">
        <dt className="text-sm text-muted">{t("refusedAddress.address")}</dt>
        <dd className="font-medium wrap-anywhere tabular-nums">{address ?? t("refusedAddress.unknown")}</dd>
      </dl>
      <p className="mt-4 text-sm text-muted">{t("refusedAddress.ask", { company })}</p>
      <div className="mt-5 space-y-2">
        <Link href="/" prefetch={false} className={cn(buttonClass("primary"), "w-full")}>
          {t("refusedAddress.again")}
        </Link>
        <SignOutButton label={t("shell.signOut")} failure={t("shell.signOutFailed")} />
      </div>
    </ClientMessages>
  );
}
