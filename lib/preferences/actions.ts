"use server";

import { cookies } from "next/headers";
import type { Locale } from "@/lib/format";
import { readLocale } from "./locale";
import { readTheme, type Theme } from "@/lib/theme";

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

async function remember(name: "locale" | "theme", value: string): Promise<void> {
  const jar = await cookies();
  jar.set(name, value, { httpOnly: true, maxAge: ONE_YEAR_SECONDS, path: "/", sameSite: "lax" });
}

/** Keeps the language in a cookie; the page renders again in it. */
export async function setLocale(locale: Locale): Promise<void> {
  await remember("locale", readLocale(locale));
}

/** Keeps the theme in a cookie, so that the server renders it and nothing flashes. */
export async function setTheme(theme: Theme): Promise<void> {
  await remember("theme", readTheme(theme));
}
