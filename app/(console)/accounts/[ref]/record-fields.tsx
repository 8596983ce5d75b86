"use client";

import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { TypeWord } from "@/app/(console)/accounts/type-word";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { DescriptionList } from "@/components/layout/description-list";
import { ProviderParts, ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { namingHidden } from "@/lib/text/safe-link";

export type ShownField = { path: string; label: string; text: string; as?: "masked" | "id" | "type" | "word" };

type RecordFieldsProps = {
  fields: readonly ShownField[];
  accountRef: string;
  denial: string | null;
  first?: ReactNode;
  last?: ReactNode;
};

export function RecordFields({ fields, accountRef, denial, first = null, last = null }: RecordFieldsProps) {
  return (
    <DescriptionList>
      {first}
      {fields.map((field) => (
        <Fragment key={field.path}>
          <dt title={namingHidden(field.path)}>{field.label}</dt>
          <dd>
            <FieldValue field={field} accountRef={accountRef} denial={denial} />
          </dd>
        </Fragment>
      ))}
      {last}
    </DescriptionList>
  );
}

type FieldValueProps = { field: ShownField } & Pick<RecordFieldsProps, "accountRef" | "denial">;

function FieldValue({ field: { path, label, text, as }, accountRef, denial }: FieldValueProps) {
  switch (as) {
    case "masked":
      return <DocumentReveal masked={text} kind="account" id={accountRef} part={{ path, label }} denial={denial} />;
    case "id":
      return <RecordId text={text} label={label} />;
    case "type":
      return <TypeWord text={text} />;
    case "word":
      return text;
    case undefined:
      return <ProviderText text={text} />;
  }
}

export function RecordId({ text, label }: { text: string; label: string }) {
  const t = useTranslations("accountRecord");
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <code dir="auto" className="min-w-0 font-mono text-xs wrap-anywhere">
        <ProviderParts text={text} />
      </code>
      <CopyButton text={text} label={t("copy", { field: label })} />
    </span>
  );
}
