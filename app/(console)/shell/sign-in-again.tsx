"use client";

import { useDesk } from "@/components/session/desk";
import { readDeskNow } from "@/components/session/use-desk-watch";
import { EntryContext } from "@/app/sign-in/use-entry";
import { deferred } from "@/components/ui/deferred";
import type { DemoSignIn } from "@/lib/staff/queries";

const SignInForm = deferred(() => import("@/app/sign-in/sign-in-form").then((loaded) => loaded.SignInForm));

type SignInAgainProps = { email: string; demo: DemoSignIn[]; hasSingleSignOn: boolean };

export function SignInAgain({ email, demo, hasSingleSignOn }: SignInAgainProps) {
  const { id, look, announce } = useDesk();
  const goOn = async () => {
    const found = await readDeskNow();
    const [person] = id.split(":");
    const isBack = found.kind === "desk" && found.desk.id.startsWith(`${person}:`);
    if (!isBack) return window.location.assign("/");
    announce(found.desk.id);
    look();
  };
  return (
    <EntryContext value={() => void goOn()}>
      <SignInForm demo={demo} secondStep={null} hasSingleSignOn={hasSingleSignOn} notice={null} again={email} />
    </EntryContext>
  );
}
