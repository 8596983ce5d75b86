import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/app/client-messages";
import { getEntrance } from "@/lib/auth/queries";
import { signInResultOf } from "@/lib/auth/view";
import { listDemoSignIns } from "@/lib/staff/queries";
import { SignInForm } from "./sign-in-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("signIn"))("title") };
}

/** Any other result of single sign-on means that it failed. */
const ENDINGS = [
  "sso-unverified",
  "sso-taken",
  "sso-disabled",
  "sso-unmapped",
  "sso-untold",
  "return-address",
] as const;

type SignInPageProps = { searchParams: Promise<Partial<Record<"error" | "next", string | string[]>>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { error, next } = await searchParams;
  const [entrance, t] = await Promise.all([getEntrance(next), getTranslations("signIn")]);
  if (entrance.leadsTo !== null) redirect(entrance.leadsTo);
  const outcome = signInResultOf([error].flat().at(-1) ?? null);
  const notice =
    error === undefined || outcome !== null ? null : t(ENDINGS.find((ending) => ending === error) ?? "sso-failed");
  return (
    <ClientMessages of="app/(entry)/sign-in/page">
      <SignInForm
        demo={listDemoSignIns()}
        secondStep={entrance.secondStep}
        hasSingleSignOn={entrance.hasSingleSignOn}
        notice={notice}
        outcome={outcome}
        next={[next].flat().at(-1)}
      />
    </ClientMessages>
  );
}
