"use server";
import { scopeIdOf } from "@/lib/auth/view";
import { moveSession, type Session } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { headers } from "next/headers";
import { after } from "next/server";
import { action, stepUpAction, ownAction, publicAction } from "@/lib/action";
import type { Proposed } from "@/lib/provider/intents/intent-record";
import { Refusing } from "@/lib/approvals/inputs";
import { refuseRequest } from "@/lib/approvals/decide";
import { deviceOf } from "@/lib/auth/sign-in-try";
import { faultOf } from "@/lib/auth/password";
import { env } from "@/lib/settings/env";
import { rethrowWithoutParameters } from "@/lib/db/error";
import { db } from "@/lib/db/connection";
import { reviewAccess as review } from "./access-review";
import { isAllowedAt } from "@/lib/security/address-list";
import { acceptAsNew, acceptAsSelf, readInvitation } from "./acceptance";
import { orderFactorReset, orderInvitation, orderRoles } from "./approvals";
import { deliver, renewInvitation, checkMailable, revokeInvitation } from "./invitations";
import { askForLink, type Deps, readPasswordLink, setForgottenPassword } from "./forgotten-password";
import { issuePasswordLink, deliverPasswordLink } from "./password-links";
import { disablePerson, enablePerson, endSessionsFor } from "./people";
import {
  Acceptance,
  AccessReviewForm,
  type Accepted,
  type Delivered,
  Disabling,
  FactorReset,
  ForgottenPassword,
  InvitationToken,
  NewInvitation,
  NewPassword,
  OneInvitation,
  OnePerson,
  PasswordLinkToken,
  RolesChange,
} from "./inputs";

async function moveTo(session: Session, tenant: string): Promise<string> {
  if (!(await moveSession(session, tenant, await isAllowedAt(tenant))))
    throw new AppError("forbidden", { code: "not-a-member" });
  return scopeIdOf({ staffId: session.staffId, tenant });
}

export const switchTenant = ownAction("session:switch", z.string(), moveTo);

export const setRoles = stepUpAction("staff:manage", RolesChange, orderRoles);

export const disable = stepUpAction("staff:manage", Disabling, async (actor, { staffId, ...to }) =>
  disablePerson(await db(), actor, staffId, to),
);

export const enable = stepUpAction("staff:manage", OnePerson, async (actor, { staffId }) =>
  enablePerson(await db(), actor, staffId),
);

export const resetSecondFactor = stepUpAction("staff:manage", FactorReset, orderFactorReset);

export const endSessions = stepUpAction("staff:manage", OnePerson, async (actor, { staffId }) =>
  endSessionsFor(await db(), actor, staffId),
);

/** Returns whether the mail went, or the link without a mail server. */
export const invitePerson = stepUpAction(
  "staff:manage",
  NewInvitation,
  async (actor, order): Promise<Delivered | Proposed> => {
    await checkMailable(order.email);
    const made = await orderInvitation(actor, order);
    return "state" in made ? made : deliver(made, actor.tenant, await getTranslations("invitationMail"));
  },
);

export const refuseAccess = action("staff:manage", Refusing, refuseRequest);

export const renew = stepUpAction("staff:manage", OneInvitation, async (actor, { invitationId }) =>
  deliver(
    await renewInvitation(await db(), actor, invitationId),
    actor.tenant,
    await getTranslations("invitationMail"),
  ),
);

export const revoke = stepUpAction("staff:manage", OneInvitation, async (actor, { invitationId }) =>
  revokeInvitation(await db(), actor, invitationId),
);

export const reviewAccess = action("staff:manage", AccessReviewForm, review);

/** Sent as a write, so that no URL holds the token. */
export const openInvitation = publicAction("invitation:open", InvitationToken, async (session, { token }) =>
  readInvitation(await db(), token, session),
);

/** The link itself authorises. */
export const acceptInvitation = publicAction(
  "invitation:accept",
  Acceptance,
  async (session, given): Promise<Accepted> => {
    const store = await db();
    const { email } = await readInvitation(store, given.token, session);
    const fault = faultOf(given.password, { name: given.name, email });
    if (fault === null) await acceptAsNew(store, given);
    return { email, fault };
  },
);

export const joinByInvitation = publicAction("invitation:join", InvitationToken, async (session, { token }) => {
  if (session === null) throw new AppError("unauthenticated");
  return acceptAsSelf(await db(), token, session);
});

/** By mail; returned only without a mail server. */
export const issueLink = stepUpAction("staff:manage", OnePerson, async (actor, { staffId }) => {
  const issued = await issuePasswordLink(await db(), { manager: actor, staffId }, env().mail === null);
  return deliverPasswordLink(issued, await getTranslations("passwordMail"));
});

const deps = async (): Promise<Deps> => ({
  mails: await getTranslations("passwordMail"),
  later: (work) => after(() => work().catch(rethrowWithoutParameters)),
});

export const forgotPassword = publicAction("password:forgot", ForgottenPassword, async (_, { email }) =>
  askForLink(await db(), { email, device: deviceOf(await headers()) }, await deps()),
);

/** Sent as a write, so that no URL holds the token. */
export const openPasswordLink = publicAction("password:open", PasswordLinkToken, async (_, { token }) =>
  readPasswordLink(await db(), token),
);

/** The link itself authorises. Returns the password's fault. */
export const setPassword = publicAction("password:set", NewPassword, async (_, given) =>
  setForgottenPassword(await db(), given, await deps()),
);
