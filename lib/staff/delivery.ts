import { env, tenantOf } from "@/lib/settings/env";
import { sendMail } from "@/lib/process/mail";
import { INVITATION_HOURS, type Invitation } from "./invitations";
import type { Delivered } from "./rules";

/** The sentences of the mail, in one language. */
type Say = (part: "subject" | "text", words: Record<string, string | number>) => string;

/** The token stands behind the `#`: browsers send that part to nobody, so it is in no log and no Referer. */
export const linkOf = ({ token }: Pick<Invitation, "token">) => new URL(`/invite#${token}`, env().publicUrl).href;

/**
 * Sends the link to whom it is for, in the language of whoever invites. It is given back to be shown only where no mail
 * server takes it to its person: whoever sees it can come in their place.
 */
export async function deliver(invitation: Invitation, tenant: string, say: Say): Promise<Delivered> {
  const { id, name, email, expiresAt } = invitation;
  const link = linkOf(invitation);
  const words = { name, tenant: tenantOf(tenant)?.name ?? tenant, link, hours: INVITATION_HOURS };
  const mail = { to: { name, address: email }, subject: say("subject", words), text: say("text", words) };
  const outcome = await sendMail(mail);
  const shown = outcome === "off" ? link : null;
  return { invitationId: id, name, email, link: shown, expiresAt: expiresAt.toISOString(), mail: outcome };
}
