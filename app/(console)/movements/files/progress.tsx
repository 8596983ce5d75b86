import { useTranslations } from "next-intl";
import { type Look, Status } from "@/components/ui/status";
import type { MovementState } from "@/lib/db/enums/movements";
import type { MovementExportRow } from "@/lib/movements/view";

const NAMED_MAX = 10;

const LOOKS: Readonly<Record<MovementState, Look>> = {
  WAITING: { tone: "neutral", progress: "waiting" },
  RUNNING: { tone: "info", progress: "moving" },
  READY: { tone: "positive", progress: "settled" },
  STOPPED: { tone: "neutral", progress: "settled" },
  TOO_LARGE: { tone: "negative", progress: "settled" },
  FAILED: { tone: "negative", progress: "settled" },
};

export function Progress({ file }: { file: MovementExportRow }) {
  const t = useTranslations("movements");
  const { state, format, accounts, wallets, plannedMinutes: minutes, plannedCalls: calls, unread, notWhole } = file;
  const parts = [
    accounts === 0 ? null : t("progressAccounts", { read: file.read, accounts }),
    wallets === 0
      ? null
      : format === "ofx"
        ? t("ofxOnly", { wallets })
        : t("progressWallets", { read: file.walletsRead, wallets }),
    t("planned", { minutes, calls }),
  ];
  return (
    <>
      {state === "READY" && unread.length + notWhole.accounts + notWhole.wallets > 0 ? (
        <Status tone="warning" progress="settled">
          {t("incomplete")}
        </Status>
      ) : (
        <Status {...LOOKS[state]}>{t(`states.${state}`)}</Status>
      )}
      <span className="block text-sm text-muted tabular-nums">{parts.filter((part) => part !== null).join(" · ")}</span>
      <NotWhole {...notWhole} />
      <Unread names={unread} />
    </>
  );
}

function NotWhole({ accounts, wallets }: MovementExportRow["notWhole"]) {
  const t = useTranslations("movements");
  if (accounts + wallets === 0) return null;
  const both = accounts > 0 && wallets > 0 ? "yes" : "no";
  return <span className="block text-sm text-warning tabular-nums">{t("notWhole", { accounts, wallets, both })}</span>;
}

function Unread({ names }: { names: readonly string[] }) {
  const t = useTranslations("movements");
  const [name, ...others] = names;
  if (name === undefined) return null;
  if (others.length === 0) return <span className="block text-sm text-negative">{t("unread", { name })}</span>;
  const hasMore = names.length > NAMED_MAX;
  return (
    <details className="text-sm text-negative">
      <summary className="cursor-pointer">
        {hasMore ? t("unreadOver", { count: NAMED_MAX }) : t("unreadCount", { count: names.length })}
      </summary>
      <span className="block whitespace-pre-line">{names.slice(0, NAMED_MAX).join("\n")}</span>
      {hasMore ? t("unreadMore") : null}
    </details>
  );
}
