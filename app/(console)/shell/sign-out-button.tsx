"use client";

import { LogOut } from "lucide-react";
import { useState } from "react";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { signOut } from "@/lib/sign-in";

export function SignOutButton({ label }: { label: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await signOut();
    window.location.assign("/sign-in");
  };
  return (
    <button
      type="button"
      aria-busy={isLeaving}
      onClick={() => void leave()}
      className={cn(buttonClass("plain"), "w-full")}
    >
      <LogOut aria-hidden size={14} />
      {label}
    </button>
  );
}
