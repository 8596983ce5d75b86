import { compiler } from "markdown-to-jsx/react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { PICTURE } from "@/lib/help/view";

type Inside = { children?: ReactNode };

const To = ({ href = "", children }: Inside & { href?: string }) => (
  <Link href={href} prefetch={false} className="font-medium text-accent underline">
    {children}
  </Link>
);

/** `src`: a picture's name, the same in both languages. */
function Picture({ src = "", alt = "" }: { src?: string; alt?: string }) {
  const locale = useLocale();
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- nothing optimises images here
    <img
      src={`/help/${locale}/${src}.webp`}
      alt={alt}
      width={PICTURE.width}
      height={PICTURE.height}
      loading="lazy"
      className="my-2 h-auto w-full rounded border border-line"
    />
  );
}

function Say({ children }: Inside) {
  const t = useTranslations("help");
  return (
    <figure className="rounded border border-info/25 bg-info-tint px-3 py-2">
      <figcaption className="text-sm font-medium text-muted">{t("say")}</figcaption>
      <blockquote>{children}</blockquote>
    </figure>
  );
}

const styled = (Tag: "h2" | "ul" | "ol" | "p" | "strong", className: string) => ({
  component: Tag,
  props: { className },
});

const LIST = "space-y-1 ps-5";

const LOOK = {
  a: To,
  img: Picture,
  blockquote: Say,
  h2: styled("h2", "pt-3 font-semibold"),
  ol: styled("ol", cn(LIST, "list-decimal")),
  ul: styled("ul", cn(LIST, "list-disc")),
  strong: styled("strong", "font-medium"),
};

/** Markdown of the handbook, never anybody's own: raw HTML stays text. */
export function HelpText({ children }: { children: string }) {
  return (
    <div className="space-y-2.5">
      {compiler(children, { disableParsingRawHTML: true, forceBlock: true, wrapper: null, overrides: LOOK })}
    </div>
  );
}
