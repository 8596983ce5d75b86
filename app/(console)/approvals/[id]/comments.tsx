"use client";

import { useTranslations, useLocale } from "next-intl";
import { CountedField, type CountedText } from "@/components/form/fields";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { WordsForm } from "@/components/form/words-form";
import { SealedText } from "@/components/layout/provider-text";
import { commentOnApproval } from "@/lib/approvals/actions";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { formatDateTime } from "@/lib/text/format";
import { TEXT_MAX_LENGTH } from "@/lib/approvals/view";

type WordsFieldProps = CountedText & { label: string; hint: string };

export function WordsField(field: WordsFieldProps) {
  const t = useTranslations("approvals");
  const { value, limit } = field;
  return (
    <CountedField {...field} tooLong={t("tooLong", { limit })}>
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("count", { used: value.length, limit }) : null}
      </span>
    </CountedField>
  );
}

type CommentsProps = {
  approvalId: string;
  comments: ApprovalRecord["comments"];
  canComment: boolean;
};

export function Comments({ approvalId, comments, canComment }: CommentsProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  return (
    <RecordSection id="comments" title={t("comments")}>
      {comments.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noComments")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {comments.map((said) => (
          <li key={said.id} className="px-5 py-3">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">
                <PersonName name={said.byName} you={said.isMine ? t("you") : null} />
              </span>
              <time dateTime={said.at} className="text-sm text-muted tabular-nums">
                {formatDateTime(said.at, locale)}
              </time>
            </p>
            <p className="mt-1 max-w-prose break-words whitespace-pre-line">
              <SealedText text={said.text} />
            </p>
          </li>
        ))}
      </ol>
      {canComment ? (
        <CommentForm key={approvalId} approvalId={approvalId} />
      ) : (
        <p className="px-5 pt-3 text-sm text-muted">{t("onlyParties")}</p>
      )}
    </RecordSection>
  );
}

function CommentForm({ approvalId }: Pick<CommentsProps, "approvalId">) {
  const t = useTranslations("approvals");
  return (
    <WordsForm
      about={approvalId}
      limit={TEXT_MAX_LENGTH}
      add={commentOnApproval}
      inputOf={({ id: commentId, text }) => ({ approvalId, commentId, text })}
      labels={{ missing: t("commentFirst"), done: t("commented"), submit: t("commentSubmit") }}
      className="space-y-3 pt-4"
      renderField={(written) => <WordsField {...written} label={t("comment")} hint={t("commentHint")} />}
    />
  );
}
