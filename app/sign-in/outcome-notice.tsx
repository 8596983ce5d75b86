import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { SignInOutcome } from "@/lib/auth/view";

/** `wrong`: the sentence for what was typed. */
export function OutcomeNotice({ outcome, wrong }: { outcome: SignInOutcome | null; wrong: string }) {
  const t = useTranslations("signIn");
  const say = () => {
    if (outcome === null) return null;
    switch (outcome.kind) {
      case "done":
      case "second-step":
      case "passkey-step":
        return null;
      case "wrong":
        return wrong;
      case "wait":
        return outcome.seconds > 90
          ? t("waitMinutes", { minutes: Math.ceil(outcome.seconds / 60) })
          : t("wait", { seconds: outcome.seconds });
      case "passkey-unanswered":
        return t("passkeyUnanswered");
      case "passkey-refused":
        return t("passkeyRefused");
      case "expired":
        return t("expired");
      case "failed":
        return t("failed");
    }
  };
  const sentence = say();
  return <div role="alert">{sentence === null ? null : <Notice tone="negative">{sentence}</Notice>}</div>;
}
