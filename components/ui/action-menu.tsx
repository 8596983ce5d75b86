"use client";

import Link from "next/link";
import { type ComponentType, type ToggleEvent, useId, useRef, useState } from "react";
import { buttonClass } from "./button";
import { DeniedButton } from "./denied-button";
import { Icon } from "./icons";

const GAP_PX = 4;
const ITEM_CLASS =
  "flex w-full rounded px-2.5 py-2 text-start outline-offset-[-2px] hover:bg-hover aria-disabled:text-faint";

export type ActionMenuItem = { label: string; denial?: string | null } & (
  | { href: string }
  | { load: () => Promise<unknown>; Dialog: ComponentType<{ onClose: () => void }> }
);

type ActionMenuProps = { label: string; items: readonly ActionMenuItem[] };

/** Rare actions behind one button, to which a dialog returns the focus. */
export function ActionMenu({ label, items }: ActionMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ActionMenuItem | null>(null);

  const Dialog = opened !== null && "Dialog" in opened ? opened.Dialog : null;
  const place = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const box = button.current?.getBoundingClientRect();
    if (newState === "closed" || box === undefined) return;
    const width = document.documentElement.clientWidth;
    const isLeft = box.left + box.right < width;
    currentTarget.style.top = `${box.bottom + window.scrollY + GAP_PX}px`;
    currentTarget.style.left = isLeft ? `${box.left}px` : "auto";
    currentTarget.style.right = isLeft ? "auto" : `${width - box.right}px`;
  };
  const open = (item: ActionMenuItem) => {
    panel.current?.hidePopover();
    setOpened(item);
  };

  return (
    <>
      <button ref={button} type="button" popoverTarget={id} className={buttonClass()}>
        {label}
        <Icon of="chevron-down" size={14} className="text-faint" />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onBeforeToggle={place}
        className="absolute inset-auto m-0 min-w-48 rounded-lg bg-raised p-1.5 text-ink shadow-float backdrop:hidden"
      >
        <ul aria-label={label}>
          {items.map((item) => (
            <li key={item.label}>
              <Item item={item} onOpen={open} />
            </li>
          ))}
        </ul>
      </div>
      {Dialog === null ? null : <Dialog onClose={() => setOpened(null)} />}
    </>
  );
}

function Item({ item, onOpen }: { item: ActionMenuItem; onOpen: (item: ActionMenuItem) => void }) {
  const { label, denial = null } = item;
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} isWide className={ITEM_CLASS}>
        {label}
      </DeniedButton>
    );
  }
  if ("href" in item) {
    return (
      <Link href={item.href} prefetch={false} className={ITEM_CLASS}>
        {label}
      </Link>
    );
  }
  const preload = () => void item.load();
  return (
    <button
      type="button"
      onClick={() => onOpen(item)}
      onFocus={preload}
      onPointerEnter={preload}
      className={ITEM_CLASS}
    >
      {label}
    </button>
  );
}
