import { cn } from "@/components/ui/cn";

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={cn("shrink-0", className)}>
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <path d="M6.5 5.5h3v13h-3zM10.75 5.5h2.6a4.15 4.15 0 0 1 0 8.3h-2.6z" className="fill-accent-ink" />
      <path d="M11.2 15.05h3.7l2.9 3.45h-3.75z" className="fill-accent-ink opacity-65" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2">
      <Mark className="size-5.5" />
      <span className="text-md font-semibold tracking-tight">Retaguarda</span>
    </span>
  );
}
