import { Icon } from "@/components/ui/icons";

type NewsButtonProps = {
  label: string | null;
  onShow: () => void;
};

export function NewsButton({ label, onShow }: NewsButtonProps) {
  return (
    <div aria-live="polite" className="pointer-events-none sticky top-2 z-10 flex h-0 justify-center">
      {label === null ? null : (
        <button
          type="button"
          data-news
          onClick={onShow}
          className="pointer-events-auto mt-1 flex h-7 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-accent-ink shadow-float hover:bg-accent-strong"
        >
          <Icon of="arrow-up" size={13} />
          {label}
        </button>
      )}
    </div>
  );
}
