import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";

/** The list as a file, for who may have it. */
export function CsvLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} download aria-label={label} className={buttonClass("plain")}>
      <Icon of="download" size={14} />
      CSV
    </a>
  );
}
