"use client";

import { usePathname } from "next/navigation";
import { createContext, use } from "react";

type Titles = ReadonlyMap<string, string>;

export const ScreenTitles = createContext<Titles | null>(null);

export function useTitleOf(): (href: string) => string {
  const titles = use(ScreenTitles);
  return (href) => {
    const [, screen = ""] = href.split("/");
    return titles?.get(screen || "home") ?? "";
  };
}

export function useScreenTitle(): string | null {
  return useTitleOf()(usePathname()) || null;
}
