import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/app/client-messages";
import { rolesWithFactor } from "@/lib/staff/queries";
import { InvitationPanel } from "./invitation-panel";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("invite"))("title") };
}

/** The token is behind the `#`. */
export default function InvitePage() {
  return (
    <ClientMessages of="app/(entry)/invite/page">
      <InvitationPanel rolesWithFactor={rolesWithFactor()} />
    </ClientMessages>
  );
}
