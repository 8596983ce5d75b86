"use client";

import { LogOut } from "lucide-react";
import { useState } from "react";
import { useDesk } from "@/components/desk";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { leave } from "@/lib/sign-in";

export function SignOutButton({ label }: { label: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const { announceEnd } = useDesk();
  return (
    <button
      type="button"
      aria-busy={isLeaving}
      onClick={() => {
        setLeaving(true);
        void leave(announceEnd);
      }}
      className={cn(buttonClass("plain"), "w-full")}
    >
      <LogOut aria-hidden size={14} />
      {label}
    </button>
  );
}
