import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { ClientMessages } from "@/components/layout/client-messages";
import { NOBODYS, RenderedFor } from "@/components/session/scope";
import { refusedWords } from "@/lib/errors/attempt";
import { failureDigest } from "@/lib/errors/result";
import { ScreenFailed } from "./error";
import { type SessionScope, getScope, redirectToSignIn } from "@/lib/auth/queries";

export async function requireScope(): Promise<SessionScope> {
  return (await getScope()) ?? redirectToSignIn();
}

/** Null for a tab that reads a part of its page anew and whose person is signed in no more. */
export async function scopeOfTab(): Promise<SessionScope | null> {
  const scope = await getScope();
  const isPart = (await headers()).get("sec-fetch-dest") === "empty";
  return scope ?? (isPart ? null : redirectToSignIn());
}

/** Above every boundary a throw would end the whole document, and its frame with it. */
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

/** `of`: its file without the ending. Following a link renders the page alone, under a frame that may be another tenant's. */
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
