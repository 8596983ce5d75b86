export const NAV_ITEM_CLASS = "flex h-8 w-full items-center gap-2.5 rounded px-2.5 text-start outline-offset-[-2px]";
