import { type Desk, getDesk, redirectToSignIn } from "@/lib/auth/queries";

/** The signed-in person's desk; nobody signed in goes to the sign-in screen. */
export async function requireDesk(): Promise<Desk> {
  return (await getDesk()) ?? redirectToSignIn();
}
