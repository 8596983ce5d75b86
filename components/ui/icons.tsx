import sprite from "./icons.svg";

const { src: drawings }: { src: string } = sprite;

export type IconName =
  | "broken"
  | "layout-grid"
  | "roles"
  | "settings"
  | "archive"
  | "arrow-down"
  | "arrow-left-right"
  | "arrow-right"
  | "arrow-right-left"
  | "arrow-up"
  | "arrow-up-right"
  | "banknote"
  | "bookmark"
  | "bookmark-filled"
  | "building-2"
  | "calendar-days"
  | "calendar-off"
  | "chart-no-axes-column"
  | "check"
  | "chevron-down"
  | "chevron-left"
  | "chevron-right"
  | "chevron-up"
  | "chevrons-up-down"
  | "circle"
  | "circle-check"
  | "circle-dot"
  | "circle-help"
  | "circle-x"
  | "clock"
  | "compass"
  | "copy"
  | "download"
  | "eye"
  | "eye-off"
  | "file-image"
  | "file-plus"
  | "file-plus-2"
  | "file-text"
  | "file-x"
  | "file-x2"
  | "hand"
  | "hourglass"
  | "inbox"
  | "info"
  | "keyboard"
  | "landmark"
  | "link-2"
  | "link-2off"
  | "list-checks"
  | "list-filter"
  | "lock"
  | "log-out"
  | "menu"
  | "message-square"
  | "minus"
  | "notebook-pen"
  | "pencil"
  | "play"
  | "plus"
  | "printer"
  | "qr-code"
  | "receipt-text"
  | "repeat-2"
  | "rotate-ccw"
  | "rotate-cw"
  | "route"
  | "scale"
  | "scroll-text"
  | "search"
  | "send"
  | "shield-alert"
  | "shield-check"
  | "shield-question"
  | "square"
  | "square-check"
  | "tag"
  | "trash-2"
  | "triangle-alert"
  | "undo-2"
  | "unlink"
  | "upload"
  | "user-check"
  | "user-round"
  | "user-round-check"
  | "user-round-cog"
  | "user-round-plus"
  | "users"
  | "pulse"
  | "purse"
  | "hook"
  | "x";

type IconProps = {
  of: IconName;
  size?: number;
  strokeWidth?: number;
  className?: string | undefined;
};

/** From one cached file: inline, each icon would be in the HTML, the data and the scripts. */
export function Icon({ of, size = 24, strokeWidth = 2, className }: IconProps) {
  return (
    <svg aria-hidden width={size} height={size} strokeWidth={strokeWidth} className={className}>
      <use href={`${drawings}#${of}`} />
    </svg>
  );
}
