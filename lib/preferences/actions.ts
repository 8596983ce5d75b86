"use server";

import { cookies } from "next/headers";
import { readTheme } from "@/lib/theme";
import { readLocale } from "./locale";

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

async function remember(name: "locale" | "theme", value: string): Promise<void> {
  const jar = await cookies();
  jar.set(name, value, { httpOnly: true, maxAge: ONE_YEAR_SECONDS, path: "/", sameSite: "lax" });
}

function chosen(form: FormData): string | undefined {
  const value = form.get("choice");
  return typeof value === "string" ? value : undefined;
}

/** Keeps the language (`choice`) in a cookie; the page renders again in it. */
export async function setLocale(form: FormData): Promise<void> {
  await remember("locale", readLocale(chosen(form)));
}

/** Keeps the theme (`choice`) in a cookie, so that the server renders it and nothing flashes. */
export async function setTheme(form: FormData): Promise<void> {
  await remember("theme", readTheme(chosen(form)));
}
