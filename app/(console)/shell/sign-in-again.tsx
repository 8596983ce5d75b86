"use client";

import dynamic from "next/dynamic";
import { useDesk } from "@/components/session/desk";
import { readDeskNow } from "@/components/session/use-desk-watch";
import { EntryContext } from "@/app/sign-in/use-entry";
import type { DemoSignIn } from "@/lib/staff/queries";

const SignInForm = dynamic(() => import("@/app/sign-in/sign-in-form").then((loaded) => loaded.SignInForm), {
  ssr: false,
});

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
