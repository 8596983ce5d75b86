"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { accountOf, holderOf, PayeeLine, usePayeeWords } from "@/app/(console)/transfers/transfer-words";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { removePayee } from "@/lib/transfers/actions";
import type { PayeeList, SavedPayee } from "@/lib/transfers/view";

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/[\p{M}.\-/\s]/gu, "")
    .toLowerCase();

type PayeesProps = {
  list: PayeeList;
  onChoose: (payee: SavedPayee) => void;
  onChanged: (list: PayeeList) => void;
};

export function PayeesDialog({ onClose, ...payees }: PayeesProps & { onClose: () => void }) {
  const t = useTranslations();
  return (
    <Dialog
      title={t("transferForm.payees")}
      description={t("transferForm.payeesLead")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <Payees {...payees} />
    </Dialog>
  );
}

function Payees({ list: { payees, hasMore }, onChoose, onChanged }: PayeesProps) {
  const t = useTranslations("transferForm");
  const words = usePayeeWords();
  const [typed, setTyped] = useState("");
  const [leaving, setLeaving] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const { pending, failure, run } = useAction(removePayee);
  const fits = (payee: SavedPayee) => {
    const { holder, document, bank, account } = words(payee);
    return plain([holder, document, bank, account].join(" ")).includes(plain(typed));
  };
  const shown = payees.filter(fits);
  const remove = (payeeId: string) =>
    run({ payeeId }, (left) => {
      setLeaving(null);
      setSaid(t("payeeRemoved"));
      onChanged(left);
    });
  return (
    <div className="px-5 pb-5">
      {payees.length === 0 ? (
        <p className="text-muted">{t("payeesEmpty")}</p>
      ) : (
        <TextField
          label={t("payeeFilter")}
          name="payee-filter"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {failure === null ? null : (
        <Notice tone="negative" className="mt-3">
          <FailureText failure={failure} />
        </Notice>
      )}
      <ul className="mt-3 divide-y divide-line border-y border-line empty:hidden" aria-label={t("payees")}>
        {shown.map((payee) => (
          <li key={payee.id} className="py-1">
            <div className="flex items-center gap-2">
              <button
                type="button"
                onClick={() => onChoose(payee)}
                className="min-w-0 flex-1 cursor-pointer rounded px-2 py-1.5 text-start hover:bg-hover"
              >
                <PayeeLine payee={payee} />
              </button>
              <Button
                tone="quiet"
                size="small"
                aria-label={t("payeeRemoveOf", { name: holderOf(payee), account: accountOf(payee) })}
                onClick={() => setLeaving(payee.id)}
              >
                {t("payeeRemove")}
              </Button>
            </div>
            {leaving === payee.id ? (
              <Notice tone="warning" live="polite" className="my-1.5">
                <p>{t("payeeRemoveSure")}</p>
                <div className="mt-2 flex flex-wrap gap-2">
                  <Button size="small" isBusy={pending} onClick={() => remove(payee.id)}>
                    {t("payeeRemoveNow")}
                  </Button>
                  <Button tone="quiet" size="small" onClick={() => setLeaving(null)}>
                    {t("payeeKeep")}
                  </Button>
                </div>
              </Notice>
            ) : null}
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="mt-2 text-sm text-muted empty:mt-0">
        {payees.length > 0 && shown.length === 0 ? t("payeesNone") : said}
      </p>
      {hasMore ? <p className="text-sm text-muted">{t("payeesMore", { count: payees.length })}</p> : null}
    </div>
  );
}
