"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(buttonClass("plain"), "w-full")}
      onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
    >
      {children}
    </Link>
  );
}
