import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Threshold } from "@/app/threshold";
import { ClientMessages } from "@/components/layout/client-messages";
import { rolesWithFactor } from "@/lib/staff/queries";
import { InvitationPanel } from "./invitation-panel";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("invite"))("title") };
}

/** The token is behind the `#`. */
export default function InvitePage() {
  return (
    <Threshold>
      <ClientMessages of="app/invite/page">
        <InvitationPanel rolesWithFactor={rolesWithFactor()} />
      </ClientMessages>
    </Threshold>
  );
}
