"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { FormDialog } from "@/components/form/form-dialog";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { addPasskey, removePasskey, startPasskey } from "@/lib/security/actions";
import type { OwnFactors } from "@/lib/auth/queries";
import { PASSKEY_NAME_MAX } from "@/lib/db/enums/auth";
import { formatDate } from "@/lib/text/format";
import { createPasskey, type NewPasskeyRequest } from "@/lib/security/passkey-browser";

type Passkey = OwnFactors["passkeys"][number];

export function Passkeys({ passkeys, hasApp }: { passkeys: Passkey[]; hasApp: boolean }) {
  const t = useTranslations("factors");
  const locale = useLocale();
  const router = useRouter();
  const [open, setOpen] = useState<"add" | Passkey | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const finish = (sentence: string) => {
    setOpen(null);
    setDone(sentence);
    router.refresh();
  };
  const used = ({ usedAt }: Passkey) =>
    usedAt === null ? t("passkeyUnused") : t("passkeyUsed", { date: formatDate(usedAt, locale) });
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-60 text-sm text-muted">{t("passkeysLead")}</span>
        {hasApp ? (
          <Button size="small" onClick={() => setOpen("add")}>
            {t("addPasskey")}
          </Button>
        ) : (
          <DeniedButton className={buttonClass("plain", "small")} reason={t("passkeyNeedsApp")}>
            {t("addPasskey")}
          </DeniedButton>
        )}
      </div>
      {passkeys.length === 0 ? null : (
        <ul aria-label={t("passkeys")} className="divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <span className="font-medium wrap-anywhere">{passkey.name}</span>
              <span className="min-w-0 flex-1 text-sm text-muted">
                {t("passkeyAdded", { date: formatDate(passkey.addedAt, locale) })} {used(passkey)}
              </span>
              <Button
                size="small"
                aria-label={t("removePasskeyNamed", { name: passkey.name })}
                onClick={() => setOpen(passkey)}
              >
                {t("removePasskey")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open === "add" ? (
        <AddDialog onDone={() => finish(t("passkeyDone"))} onClose={() => setOpen(null)} />
      ) : open === null ? null : (
        <RemoveDialog passkey={open} onDone={() => finish(t("passkeyRemoved"))} onClose={() => setOpen(null)} />
      )}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </div>
  );
}

type DialogProps = { onDone: () => void; onClose: () => void };

function AddDialog({ onDone, onClose }: DialogProps) {
  const t = useTranslations("factors");
  const [name, setName] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<"passkeyUnanswered" | "passkeyRefused" | null>(null);
  const starting = useAction(startPasskey);
  const adding = useAction(addPasskey);

  const create = async (request: NewPasskeyRequest) => {
    setAsking(true);
    const made = await createPasskey(request);
    setAsking(false);
    if (made === null) return setTrouble("passkeyUnanswered");
    adding.run({ ...made, name }, (outcome) => (outcome === "done" ? onDone() : setTrouble("passkeyRefused")));
  };
  const submit = () => {
    setTrouble(null);
    starting.run(null, (request) => void create(request));
  };
  return (
    <FormDialog
      title={t("addPasskey")}
      description={t("addPasskeyLead")}
      submitLabel={t("addPasskeySubmit")}
      isReady={name.trim() !== ""}
      pending={starting.pending || adding.pending || isAsking}
      error={starting.failure ?? adding.failure}
      isWritten={name !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("passkeyName")}
        hint={t("passkeyNameHint")}
        name="name"
        autoComplete="off"
        required
        maxLength={PASSKEY_NAME_MAX}
        value={name}
        error={adding.failure?.fields?.["name"]}
        onChange={(event) => setName(event.target.value)}
      />
      <div role="alert" className="empty:hidden">
        {trouble === null ? null : <Notice tone="negative">{t(trouble)}</Notice>}
      </div>
    </FormDialog>
  );
}

function RemoveDialog({ passkey, onDone, onClose }: DialogProps & { passkey: Passkey }) {
  const t = useTranslations("factors");
  const { pending, failure, run } = useAction(removePasskey);
  return (
    <FormDialog
      title={t("removePasskeyNamed", { name: passkey.name })}
      description={t("removePasskeyLead")}
      submitLabel={t("removePasskey")}
      tone="negative"
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() => run(passkey.id, onDone)}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}
