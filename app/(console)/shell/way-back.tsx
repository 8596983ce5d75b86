import { ClientMessages } from "@/components/layout/client-messages";
import { getEntrance } from "@/lib/auth/queries";
import { listDemoSignIns } from "@/lib/staff/queries";
import { SignInAgain } from "./sign-in-again";

/** Of the demo's people, only the tab's own. */
export async function WayBack({ email }: { email: string }) {
  const { hasSingleSignOn } = await getEntrance();
  const demo = listDemoSignIns().filter((person) => person.email === email);
  return (
    <ClientMessages namespaces={["signIn", "roles"]}>
      <SignInAgain email={email} demo={demo} hasSingleSignOn={hasSingleSignOn} />
    </ClientMessages>
  );
}
