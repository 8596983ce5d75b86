"use client";

import { useScope } from "@/components/session/scope";
import { readScopeNow } from "@/components/session/use-scope-watch";
import { EntryContext } from "@/app/(entry)/sign-in/use-entry";
import { deferred } from "@/components/layout/deferred";
import type { DemoSignIn } from "@/lib/staff/queries";

const SignInForm = deferred(() => import("@/app/(entry)/sign-in/sign-in-form").then((loaded) => loaded.SignInForm));

type SignInAgainProps = { email: string; demo: DemoSignIn[]; hasSingleSignOn: boolean };

export function SignInAgain({ email, demo, hasSingleSignOn }: SignInAgainProps) {
  const { id, revalidate, announce } = useScope();
  const goOn = async () => {
    const found = await readScopeNow();
    const [person] = id.split(":");
    const isBack = found.kind === "scope" && found.scope.id.startsWith(`${person}:`);
    if (!isBack) return window.location.assign("/");
    announce(found.scope.id);
    revalidate();
  };
  return (
    <EntryContext value={() => void goOn()}>
      <SignInForm demo={demo} secondStep={null} hasSingleSignOn={hasSingleSignOn} notice={null} again={email} />
    </EntryContext>
  );
}
