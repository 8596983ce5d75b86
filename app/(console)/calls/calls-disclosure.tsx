"use client";

import { Icon } from "@/components/ui/icons";
import { useId, useState } from "react";
import { cn } from "@/components/ui/cn";
import { deferred } from "@/components/layout/deferred";

const loadList = () => import("./object-call-list");
const ObjectCallList = deferred(() => loadList().then((loaded) => loaded.ObjectCallList));

type CallsDisclosureProps = {
  title: string;
  address: string;
  allHref: string | null;
};

export function CallsDisclosure({ title, address, allHref }: CallsDisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  return (
    <section className="border-t border-line">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          onPointerEnter={() => void loadList()}
          onFocus={() => void loadList()}
          onClick={() => setOpen(!isOpen)}
          className="flex h-11 w-full items-center gap-1.5 px-5 text-sm font-medium text-muted outline-offset-[-2px] hover:bg-hover hover:text-ink"
        >
          <Icon of="chevron-right" size={14} className={cn("shrink-0 text-faint", isOpen && "rotate-90")} />
          {title}
        </button>
      </h2>
      {isOpen ? (
        <div id={listId}>
          <ObjectCallList label={title} address={address} allHref={allHref} />
        </div>
      ) : null}
    </section>
  );
}
