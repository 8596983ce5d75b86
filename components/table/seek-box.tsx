"use client";

import { Icon } from "@/components/ui/icons";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { cn } from "@/components/ui/cn";

type SeekBoxProps = Pick<ComponentProps<"input">, "title" | "maxLength" | "aria-busy"> & {
  label: string;
  typed: string;
  problemId: string | null;
  className: string;
  onType: (typed: string) => void;
  onSeek: () => void;
  children: ReactNode;
};

/** No form and no name: even before its script is there, nothing typed reaches an address. */
export function SeekBox({ label, typed, problemId, className, onType, onSeek, children, ...input }: SeekBoxProps) {
  const seekOnEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter") onSeek();
  };
  return (
    <search className={cn("relative flex-1 max-wide:basis-full", className)}>
      <Icon of="search" size={14} className="absolute top-1.75 left-2 text-faint" />
      <input
        {...input}
        type="search"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={seekOnEnter}
        placeholder={label}
        aria-label={label}
        aria-invalid={problemId === null ? undefined : true}
        aria-describedby={problemId ?? undefined}
        autoComplete="off"
        spellCheck={false}
        className={cn(INPUT_CLASS, "h-7 pl-7 text-sm")}
      />
      {children}
    </search>
  );
}
