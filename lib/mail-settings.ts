import { z } from "zod";
import { SettingError } from "@/lib/setting";

const SmtpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "", {
    error: "must be an smtp:// or smtps:// URL",
  })
  .transform((text) => new URL(text));

const Sender = z
  .string()
  .max(320)
  .regex(/^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
    error: "must be an address, or a name and an address in angle brackets",
  });

export const MAIL_SETTINGS = { SMTP_URL: SmtpUrl.optional(), MAIL_FROM: Sender.optional() };

/** What takes our mail; its credentials stand in the address. */
export type MailServer = { server: URL; from: string };

type Given = { SMTP_URL?: URL | undefined; MAIL_FROM?: string | undefined };

/** Null when neither is set: links are handed over by people then. */
export function mailServerOf({ SMTP_URL: server, MAIL_FROM: from }: Given): MailServer | null {
  if (server === undefined && from === undefined) return null;
  if (from === undefined) throw new SettingError("MAIL_FROM: is required with SMTP_URL");
  if (server === undefined) throw new SettingError("SMTP_URL: is required with MAIL_FROM");
  return { server, from };
}
