import { readTheme, type Theme } from "@/lib/theme";
import { readPreference } from "./preference-cookie";

/** The theme the person chose; rendered by the server so that nothing flashes. */
export async function getTheme(): Promise<Theme> {
  return readTheme(await readPreference("theme"));
}
