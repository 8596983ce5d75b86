import { cn } from "@/components/ui/cn";
import type { QrDrawing } from "@/lib/text/qr";

type QrCodeProps = { drawing: QrDrawing; label: string; className: string };

/** Dark on white in both themes: cameras read nothing else reliably. */
export function QrCode({ drawing: { size, path }, label, className }: QrCodeProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cn("border border-line", className)}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
