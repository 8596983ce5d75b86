import { z } from "zod";
import { isLoopback } from "@/lib/text/safe-link";

export class SettingError extends Error {
  override name = "SettingError";
}

export const HttpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: "must be an http(s) URL" })
  .transform((text) => new URL(text));

export const BankUrl = HttpUrl.refine((url) => url.username === "" && url.search === "" && url.hash === "", {
  error: "must have neither credentials nor query: they go by their own settings",
})
  .refine((url) => url.protocol === "https:" || isLoopback(url.hostname), {
    error: "must be https: the credentials travel with every token request",
  })
  .transform((url) => url.href.replace(/\/+$/, ""));

/** Sent as the name in HTTP Basic and as a header. */
export const ClientId = z
  .string()
  .regex(/^[!-9;-~]{1,100}$/, { error: "must be 1 to 100 ASCII characters without space or colon" });

export function numberFrom(least: number, most: number, what: string) {
  const error = `${what} from ${least} to ${most}`;
  return z.coerce.number({ error }).min(least, { error }).max(most, { error });
}

export const Port = numberFrom(1, 65_535, "must be a port number").int({ error: "must be a whole number" });
