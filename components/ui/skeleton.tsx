import { cn } from "./cn";

/** The place of something that is still loading, in the size it will have. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cn("skeleton block", className)} />;
}
