import { type SessionScope, getScope, redirectToSignIn } from "@/lib/auth/queries";

export async function requireScope(): Promise<SessionScope> {
  return (await getScope()) ?? redirectToSignIn();
}
