import type { ComponentType, ReactNode } from "react";

/** An icon of the set, or one drawn like it. */
type Icon = ComponentType<{ "aria-hidden"?: boolean; size?: number; strokeWidth?: number; className?: string }>;

type EmptyViewProps = {
  icon: Icon;
  title: string;
  body: string;
  /** It stands in the place of the whole screen: its title is the screen's. */
  isScreen?: boolean;
  children?: ReactNode;
};

/** Nothing to show, and why that is or what to do about it. */
export function EmptyView({ icon: Icon, title, body, isScreen = false, children }: EmptyViewProps) {
  const Heading = isScreen ? "h1" : "h2";
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <Icon aria-hidden size={22} strokeWidth={1.5} className="text-faint" />
      <Heading className="mt-3 font-semibold">{title}</Heading>
      <p className="mt-1 max-w-md text-muted">{body}</p>
      {children ? <div className="mt-4">{children}</div> : null}
    </div>
  );
}
