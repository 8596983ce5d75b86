import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { ClientMessages } from "@/app/client-messages";
import { NOBODYS, RenderedFor } from "@/components/session/scope";
import { refusedWords } from "@/lib/errors/attempt";
import { failureDigest } from "@/lib/errors/result";
import { ScreenFailed } from "./error";
import { type SessionScope, getScope, redirectToSignIn } from "@/lib/auth/queries";

export async function requireScope(): Promise<SessionScope> {
  return (await getScope()) ?? redirectToSignIn();
}

/** Null when the tab's person is no longer signed in. */
export async function scopeOfTab(): Promise<SessionScope | null> {
  const scope = await getScope();
  const isPart = (await headers()).get("sec-fetch-dest") === "empty";
  return scope ?? (isPart ? null : redirectToSignIn());
}

/** An error thrown above every boundary would replace the whole document. */
async function shown<Props extends object>(Page: (props: Props) => Promise<ReactNode>, props: Props) {
  try {
    return await Page(props);
  } catch (error) {
    unstable_rethrow(error);
    const digest = failureDigest(error);
    if (digest === null) throw error;
    return <ScreenFailed digest={digest} said={refusedWords(error)} />;
  }
}

/** `of`: the file without its extension. Checks the scope, as a link renders only the page under an old frame. */
export function screen<Props extends object>(of: string, Page: (props: Props) => Promise<ReactNode>) {
  return async function Screen(props: Props) {
    const scope = await scopeOfTab();
    if (scope === null) return <RenderedFor scope={NOBODYS}>{null}</RenderedFor>;
    return (
      <RenderedFor scope={scope.id}>
        <ClientMessages of={of}>{await shown(Page, props)}</ClientMessages>
      </RenderedFor>
    );
  };
}
