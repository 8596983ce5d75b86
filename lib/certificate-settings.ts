import { statSync } from "node:fs";
import { z } from "zod";
import { HttpUrl, SettingError } from "@/lib/setting";

export const CERTIFICATE_SETTINGS = {
  PUBLIC_URL: HttpUrl.refine((url) => url.href === `${url.origin}/`, {
    error: "must be an origin alone, such as https://desk.example",
  }).optional(),
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
};

type Given = {
  PORT: number;
  PUBLIC_URL?: URL | undefined;
  TRUSTED_PROXIES?: string | undefined;
  TLS_CERT_FILE?: string | undefined;
  TLS_KEY_FILE?: string | undefined;
};

const FILES = ["TLS_CERT_FILE", "TLS_KEY_FILE"] as const;

/**
 * The console's own origin; where it serves https itself, which the door does by these two files, that is https. Throws
 * `SettingError`.
 */
export function publicUrlOf(given: Given): URL {
  const { PORT, PUBLIC_URL, TRUSTED_PROXIES } = given;
  const set = FILES.filter((name) => given[name] !== undefined);
  if (set.length === 0) {
    if (PUBLIC_URL?.protocol === "https:" && TRUSTED_PROXIES === undefined) {
      throw new SettingError(
        "TRUSTED_PROXIES: is required with an https PUBLIC_URL: name the proxy that ends TLS, TRUSTED_PROXIES=127.0.0.1/32 for one on this machine",
      );
    }
    return PUBLIC_URL ?? new URL(`http://localhost:${PORT}`);
  }
  for (const name of FILES) {
    const file = given[name];
    if (file === undefined) throw new SettingError(`${name}: is required with ${set.join()}`);
    if (statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new SettingError(`${name}: there is no file ${file}`);
    }
  }
  if (PUBLIC_URL !== undefined && PUBLIC_URL.protocol !== "https:") {
    throw new SettingError("PUBLIC_URL: must be https with TLS_CERT_FILE");
  }
  return PUBLIC_URL ?? new URL(`https://localhost:${PORT}`);
}
