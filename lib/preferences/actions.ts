"use server";

import { action } from "@/lib/action";
import { keepPreference } from "./preference-cookie";
import { ChangingView, KeepingView, RemovingView } from "./rules";
import { changeOne, keepOne, removeOne } from "./saved-views";
import { readLocale, readShortcuts, readTheme } from "./view";

// Whoever works at a tenant may read each of the lists, and keeps filters for nobody but themselves.
export const keepView = action("kyc:read", KeepingView, keepOne);
export const changeView = action("kyc:read", ChangingView, changeOne);
export const removeView = action("kyc:read", RemovingView, removeOne);

function chosen(form: FormData): string | undefined {
  const value = form.get("choice");
  return typeof value === "string" ? value : undefined;
}

/** Keeps the language (`choice`) in a cookie; the page renders again in it. */
export async function setLocale(form: FormData): Promise<void> {
  await keepPreference("locale", readLocale(chosen(form)));
}

/** Keeps the theme (`choice`) in a cookie, so that the server renders it and nothing flashes. */
export async function setTheme(form: FormData): Promise<void> {
  await keepPreference("theme", readTheme(chosen(form)));
}

/** Keeps whether shortcuts of one key work (`choice`: `on`, `off`) in a cookie; the page renders again. */
export async function setShortcuts(form: FormData): Promise<void> {
  await keepPreference("shortcuts", readShortcuts(chosen(form)) ? "on" : "off");
}
