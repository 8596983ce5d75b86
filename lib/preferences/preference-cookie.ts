import "server-only";
import { cookies } from "next/headers";
import { env } from "@/lib/settings/env";

type Preference = "locale" | "theme" | "shortcuts" | "first-steps";

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

const isSecure = () => env().publicUrl.protocol === "https:";
// The prefix binds a cookie to this host; browsers accept it over https only.
const cookieName = (preference: Preference) => (isSecure() ? `__Host-${preference}` : preference);

export async function readPreference(preference: Preference): Promise<string | undefined> {
  const jar = await cookies();
  return jar.get(cookieName(preference))?.value;
}

export async function savePreference(preference: Preference, value: string): Promise<void> {
  const jar = await cookies();
  const bound = { httpOnly: true, maxAge: ONE_YEAR_SECONDS, path: "/", sameSite: "lax", secure: isSecure() } as const;
  jar.set(cookieName(preference), value, bound);
}
