"use client";

import { Icon } from "@/components/ui/icons";
import { useState } from "react";
import { useScope } from "@/components/session/scope";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { leave } from "@/lib/auth/view";

type SignOutButtonProps = {
  label: string;
  failure: string;
};

export function SignOutButton({ label, failure }: SignOutButtonProps) {
  const [state, setState] = useState<"idle" | "leaving" | "failed">("idle");
  const { announceEnd } = useScope();
  const signOut = async () => {
    setState("leaving");
    if (!(await leave(announceEnd))) setState("failed");
  };
  return (
    <div>
      <button
        type="button"
        aria-busy={state === "leaving"}
        onClick={() => void signOut()}
        className={cn(buttonClass("plain"), "w-full")}
      >
        <Icon of="log-out" size={14} />
        {label}
      </button>
      <p role="alert" className="mt-1.5 text-sm text-negative empty:hidden">
        {state === "failed" ? failure : null}
      </p>
    </div>
  );
}
