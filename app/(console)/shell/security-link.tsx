"use client";

import { ShieldCheck } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/lib/cn";

/** Leads on from the menu it stands in, which closes. */
export function SecurityLink({ label }: { label: string }) {
  return (
    <Link
      href="/security"
      prefetch={false}
      className={cn(buttonClass("plain"), "w-full")}
      onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
    >
      <ShieldCheck aria-hidden size={14} />
      {label}
    </Link>
  );
}
