import { type Desk, getDesk, redirectToSignIn } from "@/lib/auth/queries";

export async function requireDesk(): Promise<Desk> {
  return (await getDesk()) ?? redirectToSignIn();
}
