import { useTranslations } from "next-intl";
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import { type Failure, NEW_VERSION } from "@/lib/errors/result";

export function FailureText({ failure }: { failure: Failure }) {
  const t = useTranslations();
  return (
    <>
      {failure.message}
      {failure.kind === "unauthenticated" ? (
        <>
          {" "}
          {/* In another tab, so that the text stays. */}
          <Link href="/sign-in" prefetch={false} target="_blank" className="font-medium text-accent underline">
            {t("states.signInElsewhere")}
          </Link>
        </>
      ) : null}
      {failure.code === NEW_VERSION ? (
        <>
          {" "}
          {/* The browser first asks about unsaved text. */}
          <button type="button" onClick={() => window.location.reload()} className="font-medium text-accent underline">
            {t("scope.reload")}
          </button>
        </>
      ) : null}
    </>
  );
}

type FailureNoticeProps = { failure: Failure | null; className?: string };

/** The live region exists before its text, so that it is read aloud. */
export function FailureNotice({ failure, className = "" }: FailureNoticeProps) {
  return (
    <div aria-live="assertive">
      {failure === null ? null : (
        <Notice tone="negative" className={className}>
          <FailureText failure={failure} />
        </Notice>
      )}
    </div>
  );
}
