"use server";

import { action, ownAction } from "@/lib/action";
import { getSession } from "@/lib/auth/session";
import { saveMailLocale } from "@/lib/mail/outbox";
import { chooseOwnMail } from "./mails";
import { savePreference } from "./preference-cookie";
import { ChangingView, MailChoosing, SavingView, RemovingView } from "./inputs";
import { changeOne, saveOne, removeOne } from "./saved-views";
import { readLocale, readShortcuts, readTheme } from "./view";

// Any role of a tenant reads these lists, and filters are personal.
export const saveView = action("kyc:read", SavingView, saveOne);
export const changeView = action("kyc:read", ChangingView, changeOne);
export const removeView = action("kyc:read", RemovingView, removeOne);

function chosen(form: FormData): string | undefined {
  const value = form.get("choice");
  return typeof value === "string" ? value : undefined;
}

export const chooseMail = ownAction("preferences:choose-mail", MailChoosing, chooseOwnMail);

/** Stored for mails, too, once somebody is signed in. */
export async function setLocale(form: FormData): Promise<void> {
  const locale = readLocale(chosen(form));
  await savePreference("locale", locale);
  const session = await getSession();
  if (session !== null) await saveMailLocale(session.staffId, locale);
}

/** In a cookie, so that the server renders it and nothing flashes. */
export async function setTheme(form: FormData): Promise<void> {
  await savePreference("theme", readTheme(chosen(form)));
}

export async function setShortcuts(form: FormData): Promise<void> {
  await savePreference("shortcuts", readShortcuts(chosen(form)) ? "on" : "off");
}

export async function setFirstStepsHidden(): Promise<void> {
  await savePreference("first-steps", "hidden");
}
