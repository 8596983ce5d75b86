"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useUnsaved } from "@/components/desk";
import { FailureText } from "@/components/failure-text";
import { RecordSection } from "@/components/record-columns";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { useUnsent } from "@/components/use-unsent";
import { commentOnApproval } from "@/lib/approvals/actions";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { formatDateTime } from "@/lib/format";
import { newIntentId } from "@/lib/intent";

import { WordsField } from "./words-field";

type CommentsProps = {
  approvalId: string;
  comments: ApprovalRecord["comments"];
  canComment: boolean;
  limit: number;
};

/** What both sides said about it, oldest first. */
export function Comments({ approvalId, comments, canComment, limit }: CommentsProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  return (
    <RecordSection id="comments" title={t("comments")}>
      {comments.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noComments")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {comments.map((said) => (
          <li key={said.id} className="px-5 py-3">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{said.isMine ? t("you") : <bdi>{said.byName}</bdi>}</span>
              <time dateTime={said.at} className="text-sm text-muted tabular-nums">
                {formatDateTime(said.at, locale)}
              </time>
            </p>
            <p className="mt-1 max-w-prose break-words whitespace-pre-line">
              <bdi>{said.text}</bdi>
            </p>
          </li>
        ))}
      </ol>
      {canComment ? (
        <CommentForm key={approvalId} approvalId={approvalId} limit={limit} />
      ) : (
        <p className="px-5 pt-3 text-sm text-muted">{t("onlyParties")}</p>
      )}
    </RecordSection>
  );
}

function CommentForm({ approvalId, limit }: Pick<CommentsProps, "approvalId" | "limit">) {
  const t = useTranslations("approvals");
  const router = useRouter();
  const { pending, failure, run } = useAction(commentOnApproval);
  const [text, setText] = useUnsent(approvalId);
  // Sent twice, it is there once.
  const [commentId, setCommentId] = useState(newIntentId);
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  useUnsaved(text.trim() !== "");
  const missing = isChecked && text.trim() === "" ? t("commentFirst") : undefined;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (text.trim() === "" || text.length > limit) {
      event.currentTarget.querySelector("textarea")?.focus();
      return;
    }
    run({ approvalId, commentId, text }, () => {
      setText("");
      setCommentId(newIntentId());
      setChecked(false);
      setDone(true);
      router.refresh();
    });
  };

  return (
    <form noValidate onSubmit={submit} className="space-y-3 px-5 pt-4">
      <WordsField
        label={t("comment")}
        hint={t("commentHint")}
        value={text}
        limit={limit}
        error={missing ?? failure?.fields?.["text"]}
        onChange={(written) => {
          setText(written);
          setDone(false);
        }}
      />
      {failure && failure.fields === undefined ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={failure} />
        </Notice>
      ) : null}
      <div className="flex items-center justify-end gap-3">
        <span aria-live="polite" className="text-sm text-muted">
          {isDone ? t("commented") : null}
        </span>
        <Button type="submit" isBusy={pending}>
          {t("commentSubmit")}
        </Button>
      </div>
    </form>
  );
}
