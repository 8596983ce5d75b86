"use client";

import { usePathname } from "next/navigation";
import { createContext, use } from "react";
import type { ScreenName } from "./shell/screens";

type Titles = Record<ScreenName, string>;

export const ScreenTitles = createContext<Titles | null>(null);

export function useScreenTitle(): string | null {
  const [, screen = ""] = usePathname().split("/");
  const titles = use(ScreenTitles);
  return Object.entries({ ...titles }).find(([name]) => name === (screen || "home"))?.[1] ?? null;
}
