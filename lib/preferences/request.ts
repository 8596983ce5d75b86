import { headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import type { Locale } from "@/lib/text/format";
import { readLocale } from "./view";
import { readPreference } from "./preference-cookie";

/** For next-intl: the language comes from the cookie, else from the browser; the time zone is the bank's. */
export default getRequestConfig(async () => {
  const locale = readLocale(await readPreference("locale"), (await headers()).get("accept-language"));
  return { locale, timeZone: "America/Sao_Paulo", messages: await loadMessages(locale) };
});

export async function loadMessages(locale: Locale) {
  switch (locale) {
    case "pt-BR":
      return (await import("@/messages/pt-BR.json")).default;
    case "en":
      return (await import("@/messages/en.json")).default;
  }
}
