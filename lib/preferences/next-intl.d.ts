import type messages from "@/messages/pt-BR.json";
import type { Locale } from "@/lib/text/format";

declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof messages;
  }
}
