import { Icon, type IconName } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import type { ReactNode } from "react";
import { WhoMayReveal } from "@/app/(console)/permission-denied";
import { Described } from "@/components/layout/description-list";
import { PersonName } from "@/components/layout/person-name";
import { Standing } from "@/app/(console)/accounts/standing";
import { FamilyName, WalletStatus } from "@/app/(console)/wallets/wallet-words";
import { RecordSection } from "@/components/layout/record-columns";
import { ProviderText } from "@/components/layout/provider-text";
import { Notice } from "@/components/ui/notice";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import type { AccountEventKind, AccountUser } from "@/lib/accounts/view";
import { type AccountRecord, getTimeline, type RecordField } from "@/lib/accounts/queries";
import { listWalletsOf } from "@/lib/wallets/queries";
import { plainName } from "@/lib/contract/open-answer";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { fieldLabel } from "@/lib/text/field-label";
import { namingHidden } from "@/lib/text/safe-link";
import { RecordFields, RecordId, type ShownField } from "./record-fields";

const ICONS: Record<AccountEventKind, IconName> = {
  opened: "banknote",
  known: "eye",
  "closing-proposed": "user-check",
  "closing-authorised": "circle-check",
  "closing-refused": "circle-x",
  "closing-withdrawn": "undo-2",
  "closing-expired": "clock",
  "closing-failed": "triangle-alert",
  "closing-sent": "hourglass",
  "closing-rejected": "circle-x",
  "closing-without-effect": "circle-x",
  closed: "lock",
};

export async function Timeline({ accountRef }: { accountRef: string }) {
  const [events, t, locale] = await Promise.all([
    getTimeline(accountRef),
    getTranslations("accountTimeline"),
    getLocale(),
  ]);
  return (
    <RecordSection id="timeline" title={t("title")}>
      <ol className="border-y border-line py-1.5">
        {events.map(({ kind, at, byName, isMine }) => {
          const icon = ICONS[kind];
          return (
            <li key={`${kind} ${at}`} className="flex flex-wrap items-start gap-x-2.5 px-5 py-1.5">
              <Icon of={icon} size={14} className="mt-0.75 shrink-0 text-faint" />
              <p className="min-w-0 flex-1 wrap-anywhere">
                {t(`event.${kind}`)}
                {byName === null ? null : (
                  <span className="text-muted">
                    {" · "}
                    <PersonName name={t("byName", { name: byName })} you={isMine ? t("byYou") : null} />
                  </span>
                )}
              </p>
              <time dateTime={at} className="shrink-0 text-sm text-muted tabular-nums">
                {formatDateTime(at, locale)}
              </time>
            </li>
          );
        })}
      </ol>
    </RecordSection>
  );
}

type RecordRead = Promise<AccountRecord | null>;

/** Says separately that we closed it, unless the provider's record says so too. */
export async function AccountStatus({ recordRead, closedHere }: { recordRead: RecordRead; closedHere: ReactNode }) {
  const [record, t] = await Promise.all([recordRead, getTranslations("accountRecord")]);
  if (record === null || record.word === "")
    return (
      <>
        {closedHere}
        <span className="text-sm text-muted">{t(record === null ? "statusUnread" : "statusUnreported")}</span>
      </>
    );
  return (
    <>
      {record.standing === "CLOSED" ? null : closedHere}
      <span title={t("status", { status: namingHidden(record.word) })} className="text-sm">
        <Standing standing={record.standing} word={record.word} isShort={record.isOurWord} />
      </span>
    </>
  );
}

export async function HolderName({ recordRead }: { recordRead: RecordRead }) {
  const record = await recordRead;
  if (record === null || record.name === "") return null;
  return (
    <span className="font-medium text-ink">
      <ProviderText text={record.name} />
    </span>
  );
}

type Showing = { accountRef: string; denial: string | null };

type UserRead = Promise<AccountUser | null>;
type RecordProps = { recordRead: RecordRead; userRead: UserRead; letter?: ReactNode } & Showing;

export async function Record({ recordRead, userRead, letter, ...showing }: RecordProps) {
  const [record, user, t, locale] = await Promise.all([
    recordRead,
    userRead,
    getTranslations("accountRecord"),
    getLocale(),
  ]);
  if (record === null) {
    return (
      <RecordSection id="holder" title={t("holder")}>
        <Notice tone="warning" className="mx-5">
          {t("unread")}
        </Notice>
      </RecordSection>
    );
  }
  const { holder, account, partners, documents, others } = record;
  const readAt = (
    <span className="text-sm text-muted tabular-nums">{t("readAt", { time: formatTime(record.asOf, locale) })}</span>
  );
  return (
    <>
      <RecordSection id="holder" title={t("holder")} action={readAt}>
        {showing.denial === null ? null : <WhoMayReveal />}
        {holder.length === 0 ? (
          <p className="border-y border-line px-5 py-3 text-muted">{t("untold")}</p>
        ) : (
          <Fields fields={holder} {...showing} />
        )}
      </RecordSection>
      {partners.map((fields, at) => (
        <RecordSection key={fields[0]?.entry} id={`partner-${at + 1}`} title={t("partner", { number: at + 1 })}>
          <Fields fields={fields} {...showing} />
        </RecordSection>
      ))}
      <RecordSection id="account" title={t("account")} action={letter}>
        <Fields
          fields={account}
          {...showing}
          first={
            <Described name={t("fields.status")}>
              {record.word === "" ? (
                t("statusUnreported")
              ) : (
                <span title={namingHidden(record.word)}>
                  <Standing standing={record.standing} word={record.word} isShort={record.isOurWord} />
                </span>
              )}
            </Described>
          }
          last={account.some(({ name }) => name === "userId") ? null : <User user={user} />}
        />
      </RecordSection>
      {documents.length === 0 ? null : (
        <RecordSection id="documents" title={t("documents")}>
          <Fields fields={documents} {...showing} />
        </RecordSection>
      )}
      {others.length === 0 ? null : (
        <RecordSection id="others" title={t("others")} empty={t("othersLead")}>
          <Fields fields={others} {...showing} />
        </RecordSection>
      )}
    </>
  );
}

/** Shown only when the record itself names no user. */
async function User({ user }: { user: AccountUser | null }) {
  const [t, locale] = await Promise.all([getTranslations("accountRecord"), getLocale()]);
  const label = t("fields.userId");
  return (
    <Described name={label}>
      {user === null ? (
        <span className="text-muted">{t("userIdUnreported")}</span>
      ) : (
        <>
          <RecordId text={user.userId} label={label} />
          {user.typed === null ? null : (
            <span className="text-sm text-muted">
              {t("userIdTyped", { name: user.typed.byName, time: formatDateTime(user.typed.at, locale) })}
            </span>
          )}
        </>
      )}
    </Described>
  );
}

export async function UserNotice({ userRead }: { userRead: UserRead }) {
  if ((await userRead) !== null) return null;
  const t = await getTranslations("accountRecord");
  return (
    <p className="flex items-start gap-2 px-5 pb-4 text-sm text-muted">
      <Icon of="info" size={14} className="mt-0.5 shrink-0" />
      {t("userIdNeeded")}
    </p>
  );
}

/** Uses only the provider's user id: a typed one may be somebody else's. */
export async function UserWallets({ userRead }: { userRead: UserRead }) {
  const user = await userRead;
  const [wallets, t] = await Promise.all([user?.typed === null ? listWalletsOf(user.userId) : [], getTranslations()]);
  if (wallets.length === 0) return null;
  return (
    <RecordSection id="wallets" title={t("accountRecord.wallets")}>
      <ul className="divide-y divide-line border-y border-line">
        {wallets.map(({ id, address, network, status }) => (
          <li key={id} className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-1.5">
            <span className="w-34 shrink-0 text-muted">
              <FamilyName family={network} />
            </span>
            <Link
              href={`/wallets/${encodeURIComponent(id)}`}
              prefetch={false}
              className="font-mono text-sm font-medium text-accent hover:underline"
            >
              <ProviderText text={shortAddress(address)} />
            </Link>
            <WalletStatus status={status} />
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}

const LINKS = ["documentLink", "documentBackLink", "selfieLink", "socialContractLink"] as const;

const nameIn = (path: string) => plainName(path.replace(/^.*\./, ""));

const IDS: readonly RecordField["name"][] = ["accountId", "onBoardingId", "userId", "account", "clientCode"];

type FieldsProps = { fields: readonly RecordField[]; first?: ReactNode; last?: ReactNode } & Showing;

async function Fields({ fields, ...given }: FieldsProps) {
  const [t, locale] = await Promise.all([getTranslations("accountRecord"), getLocale()]);
  const labelOf = ({ name, path, kind }: RecordField) => {
    const link = LINKS.find((one) => plainName(one) === nameIn(path));
    if (link !== undefined && kind === "link") return t(`links.${link}`);
    return name === null ? fieldLabel(path) : t(`fields.${name}`);
  };
  const valueOf = ({ name, text, kind, isMasked }: RecordField): Pick<ShownField, "text" | "as"> => {
    if (isMasked) return { text, as: "masked" };
    if (kind === "time") return { text: formatDateTime(text, locale) };
    if (name === "isPoliticallyExposedPerson" && /^(true|false)$/.test(text))
      return { text: t(text === "true" ? "yes" : "no"), as: "word" };
    if (name === "type") return { text, as: "type" };
    return IDS.includes(name) ? { text, as: "id" } : { text };
  };
  const shown = fields
    .filter(({ name }) => name !== "status")
    .map((field) => ({ path: field.path, label: labelOf(field), ...valueOf(field) }));
  return <RecordFields fields={shown} {...given} />;
}

const HEIGHTS = { PF: ["h-85.25", "h-91.75", "h-31"], PJ: ["h-82.25", "h-91.75", "h-41.25"] } as const;

/** As tall as the final content, so nothing below moves. */
export function RecordSkeleton({ kind }: { kind: "PF" | "PJ" }) {
  return (
    <div aria-hidden>
      {HEIGHTS[kind].map((height) => (
        <div key={height} className="pb-5">
          <div className="h-11 px-5 pt-4">
            <Skeleton className="h-3.5 w-20" />
          </div>
          <div className={cn("skeleton-rows border-y border-line", height)} />
        </div>
      ))}
    </div>
  );
}
