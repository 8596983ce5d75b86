import { readTheme, type Theme } from "./view";
import { readPreference } from "./preference-cookie";
import { readShortcuts } from "./shortcuts";

/** The theme the person chose; rendered by the server so that nothing flashes. */
export async function getTheme(): Promise<Theme> {
  return readTheme(await readPreference("theme"));
}

/** Whether shortcuts of one key work for this browser's person. */
export async function getShortcuts(): Promise<boolean> {
  return readShortcuts(await readPreference("shortcuts"));
}
