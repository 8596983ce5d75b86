"use client";

import { usePathname } from "next/navigation";
import { createContext, use } from "react";
import type { ScreenName } from "./shell/screens";

type Titles = Record<ScreenName, string>;

/** The titles of the screens, for what stands in a screen's place when it could not be read. */
export const ScreenTitles = createContext<Titles | null>(null);

/** The title of the screen that the address belongs to; null where the address belongs to none. */
export function useScreenTitle(): string | null {
  const [, screen = ""] = usePathname().split("/");
  const titles = use(ScreenTitles);
  return Object.entries({ ...titles }).find(([name]) => name === (screen || "home"))?.[1] ?? null;
}
