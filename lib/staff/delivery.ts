import { env, tenantOf } from "@/lib/settings/env";
import { sendMail } from "@/lib/process/mail";
import { INVITATION_HOURS, type Invitation } from "./invitations";
import type { Delivered } from "./rules";

type Say = (part: "subject" | "text", words: Record<string, string | number>) => string;

/** Behind the `#`, which browsers send to nobody: in no log and no Referer. */
export const linkOf = ({ token }: Pick<Invitation, "token">) => new URL(`/invite#${token}`, env().publicUrl).href;

/** Returned only where no mail server is set: whoever sees the link can use it. */
export async function deliver(invitation: Invitation, tenant: string, say: Say): Promise<Delivered> {
  const { id, name, email, expiresAt } = invitation;
  const link = linkOf(invitation);
  const words = { name, tenant: tenantOf(tenant)?.name ?? tenant, link, hours: INVITATION_HOURS };
  const mail = { to: { name, address: email }, subject: say("subject", words), text: say("text", words) };
  const outcome = await sendMail(mail);
  const shown = outcome === "off" ? link : null;
  return { invitationId: id, name, email, link: shown, expiresAt: expiresAt.toISOString(), mail: outcome };
}
