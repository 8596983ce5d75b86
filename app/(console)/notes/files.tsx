import { Icon } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import { CopyButton } from "@/components/table/copy-button";
import { RecordSection } from "@/components/layout/record-columns";
import { SealedText } from "@/components/layout/provider-text";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { Action } from "@/lib/action";
import { type CaseFile, type FileRemoval, FILES_MAX } from "@/lib/notes/view";
import { scansFiles } from "@/lib/notes/inputs";
import { formatDateTime } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { isUnopened } from "@/lib/text/provider-word";
import { OpenFile } from "./file-desk";
import { RemoveButton } from "./remove-button";
import { UploadBox } from "./upload-box";

type FilesProps = {
  id: string;
  address: string;
  files: readonly CaseFile[];
  scope: string;
  denial: string | null;
  heldReason: string | null;
  remove: Action<FileRemoval, null>;
};

export async function Files({ id, address, files, scope, denial, heldReason, remove }: FilesProps) {
  const t = await getTranslations("casework");
  return (
    <RecordSection id="files" title={t("files")} empty={files.length === 0 ? t("noFiles") : null}>
      <div className="border-y border-line">
        {denial === null ? <UploadBox key={id} address={address} /> : <p className="px-5 py-3 text-muted">{denial}</p>}
        <ol aria-label={t("files")} className="divide-y divide-line border-line not-empty:border-t">
          {files.map((file) => (
            <FileItem
              key={file.id}
              file={file}
              heldReason={heldReason}
              href={hrefWith(`${address}/${file.id}`, { scope })}
              remove={denial === null ? { id, run: remove } : null}
            />
          ))}
        </ol>
      </div>
      <p className="px-5 pt-2 text-sm text-muted">
        {t("filesHint", { most: FILES_MAX })} {t(scansFiles() ? "filesScanned" : "filesUnscanned")}
      </p>
    </RecordSection>
  );
}

type FileItemProps = {
  file: CaseFile;
  heldReason: string | null;
  href: string;
  remove: { id: string; run: Action<FileRemoval, null> } | null;
};

async function FileItem({ file, heldReason, href, remove }: FileItemProps) {
  const [t, words, locale] = await Promise.all([getTranslations("casework"), getTranslations("common"), getLocale()]);
  const { id, name, mediaType, sizeBytes, sha256, byName, at, removed } = file;
  const icon = removed !== null ? "file-x2" : mediaType === "application/pdf" ? "file-text" : "file-image";
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-5 py-3">
      <Icon of={icon} size={16} className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className={removed === null ? "font-medium wrap-anywhere" : "wrap-anywhere text-muted line-through"}>
          <SealedText text={name} />
        </p>
        <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted tabular-nums">
          {formatSize(sizeBytes, locale)} · {t("addedBy", { name: byName, time: formatDateTime(at, locale) })}
          <CopyButton text={sha256} label={t("copySha", { name })} />
        </p>
        {removed === null ? null : (
          <p className="text-sm text-muted">
            {t("removed", {
              name: removed.byName,
              time: formatDateTime(removed.at, locale),
              reason: isUnopened(removed.reason) ? words("unopened") : removed.reason,
            })}
          </p>
        )}
      </div>
      {removed === null ? (
        <div className="flex flex-wrap items-center gap-1">
          <OpenFile file={{ id, name, mediaType, href }} />
          <a href={href} download aria-label={t("downloadNamed", { name })} className={buttonClass("plain", "small")}>
            <Icon of="download" size={13} />
            {t("download")}
          </a>
          {remove === null ? null : heldReason !== null ? (
            <DeniedButton reason={heldReason} className={buttonClass("quiet", "small")}>
              {t("remove")}
            </DeniedButton>
          ) : (
            <RemoveButton recordId={remove.id} fileId={id} name={name} remove={remove.run} />
          )}
        </div>
      ) : null}
    </li>
  );
}
