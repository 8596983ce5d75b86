export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The theme a cookie names; the system's own by default. */
export function readTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}
