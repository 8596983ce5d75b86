"use client";

import { usePathname } from "next/navigation";
import { createContext, use } from "react";

type Titles = ReadonlyMap<string, string>;

export const ScreenTitles = createContext<Titles | null>(null);

export function useScreenTitle(): string | null {
  const [, screen = ""] = usePathname().split("/");
  return use(ScreenTitles)?.get(screen || "home") ?? null;
}
