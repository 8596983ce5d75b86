import { cookies } from "next/headers";
import { readTheme, type Theme } from "@/lib/theme";

/** The theme the person chose; rendered by the server so that nothing flashes. */
export async function getTheme(): Promise<Theme> {
  return readTheme((await cookies()).get("theme")?.value);
}
