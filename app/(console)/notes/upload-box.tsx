"use client";

import { FILE_HEADERS, FILE_MOST_BYTES, FILE_TYPES } from "@/lib/notes/view";
import { SCOPE_HEADER } from "@/lib/auth/view";
import type { ActionResult, Failure } from "@/lib/errors/result";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type DragEvent, useRef, useState } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { useScope, useUnsaved } from "@/components/session/scope";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { newIntentId } from "@/lib/text/intent";

type Order = {
  address: string;
  scope: string;
  id: string;
  file: File;
  onProgress: (sentBytes: number) => void;
  unanswered: string;
};

type Sending = { answer: Promise<ActionResult<null> | "cancelled">; cancel: () => void };

/** `retryAfterMs`: null unless the console has no room for a further upload until then. */
type Reply = { result: ActionResult<null>; retryAfterMs: number | null } | "cancelled";
type Attempt = { reply: Promise<Reply>; cancel: () => void };

const MOST_ATTEMPTS = 12;
const BUSY = 503;

/** Encoded because headers are ASCII. */
function base64url(text: string): string {
  const bytes = String.fromCodePoint(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const isResult = (value: unknown): value is ActionResult<null> =>
  typeof value === "object" && value !== null && "ok" in value;

/** XMLHttpRequest, because `fetch` has no upload progress. */
function sendFile({ address, scope, id, file, onProgress, unanswered }: Order): Attempt {
  const request = new XMLHttpRequest();
  const lost: ActionResult<null> = { ok: false, error: { kind: "unavailable", message: unanswered } };
  const reply = new Promise<Reply>((resolve) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      const said: unknown = request.response;
      const seconds = request.status === BUSY ? Number(request.getResponseHeader("retry-after")) : 0;
      resolve({ result: isResult(said) ? said : lost, retryAfterMs: seconds > 0 ? seconds * 1_000 : null });
    });
    request.addEventListener("error", () => resolve({ result: lost, retryAfterMs: null }));
    request.addEventListener("abort", () => resolve("cancelled"));
  });
  request.open("POST", address);
  request.responseType = "json";
  request.setRequestHeader(SCOPE_HEADER, scope);
  request.setRequestHeader(FILE_HEADERS.id, id);
  request.setRequestHeader(FILE_HEADERS.name, base64url(file.name));
  request.setRequestHeader("content-type", "application/octet-stream");
  request.send(file);
  return { reply, cancel: () => request.abort() };
}

/** Sends again by itself while others upload, for about a minute: a file's id is kept, so none is added twice. */
export function sendInTurn(attempt: () => Attempt, pause: (ms: number) => Promise<void>): Sending {
  const gone = new AbortController();
  const stopped = new Promise<"cancelled">((resolve) => {
    gone.signal.addEventListener("abort", () => resolve("cancelled"));
  });
  let current = attempt();
  const follow = async (left: number): Promise<ActionResult<null> | "cancelled"> => {
    const reply = await current.reply;
    if (reply === "cancelled") return reply;
    if (reply.retryAfterMs === null || left === 0) return reply.result;
    const next = await Promise.race([stopped, pause(reply.retryAfterMs)]);
    if (next === "cancelled") return next;
    current = attempt();
    return follow(left - 1);
  };
  const cancel = () => {
    gone.abort();
    current.cancel();
  };
  return { answer: follow(MOST_ATTEMPTS - 1), cancel };
}

const pauseFor = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Upload = {
  /** Made when the file is chosen, so a repeat adds no second one. */
  id: string;
  file: File;
  sentBytes: number;
  state: "waiting" | "sending" | "failed";
  failure: Failure | null;
};

type UploadsDeps = {
  newId: () => string;
  refuse: (file: File) => Failure | null;
  send: (id: string, file: File, onProgress: (sentBytes: number) => void) => Sending;
  onChange: (uploads: readonly Upload[]) => void;
  /** Before the first of them is sent or refused. */
  onChosen: () => void;
  onArrived: (file: File) => void;
  onFailed: (failure: Failure) => void;
};

export function createUploads(deps: UploadsDeps) {
  let uploads: readonly Upload[] = [];
  let sending: { id: string; cancel: () => void } | null = null;

  function become(next: readonly Upload[]): void {
    uploads = next;
    deps.onChange(uploads);
  }
  const change = (id: string, changes: Partial<Upload>) =>
    become(uploads.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const without = (id: string) => uploads.filter((one) => one.id !== id);

  function end({ id, file }: Upload, answer: ActionResult<null>): void {
    if (answer.ok) {
      become(without(id));
      deps.onArrived(file);
      return;
    }
    change(id, { state: "failed", failure: answer.error });
    deps.onFailed(answer.error);
  }

  async function sendNext(): Promise<void> {
    const next = uploads.find(({ state }) => state === "waiting");
    if (sending !== null || next === undefined) return;
    const { id, file } = next;
    const { answer, cancel } = deps.send(id, file, (sentBytes) => change(id, { sentBytes }));
    sending = { id, cancel };
    change(id, { state: "sending" });
    const said = await answer;
    sending = null;
    if (said !== "cancelled") end(next, said);
    await sendNext();
  }

  return {
    add(files: Iterable<File>): void {
      deps.onChosen();
      const chosen = Array.from(files, (file): Upload => {
        const failure = deps.refuse(file);
        return { id: deps.newId(), file, sentBytes: 0, state: failure === null ? "waiting" : "failed", failure };
      });
      become([...uploads, ...chosen]);
      void sendNext();
    },
    again(id: string): void {
      change(id, { state: "waiting", failure: null, sentBytes: 0 });
      void sendNext();
    },
    drop(id: string): void {
      become(without(id));
      if (sending?.id === id) sending.cancel();
    },
  };
}

function useUploads(address: string) {
  const t = useTranslations();
  const router = useRouter();
  const scope = useScope();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [arrived, setArrived] = useState(0);

  const refuse = ({ size }: File): Failure | null => {
    if (size > FILE_MOST_BYTES) return { kind: "invalid", message: t("casework.fileTooLarge") };
    return size === 0 ? { kind: "invalid", message: t("casework.fileEmpty") } : null;
  };
  const [line] = useState(() =>
    createUploads({
      newId: newIntentId,
      refuse,
      send: (id, file, onProgress) => {
        const order = { address, scope: scope.id, id, file, onProgress, unanswered: t("states.connectionLost") };
        return sendInTurn(() => {
          onProgress(0);
          return sendFile(order);
        }, pauseFor);
      },
      onChange: setUploads,
      onChosen: () => setArrived(0),
      onArrived: () => {
        setArrived((before) => before + 1);
        router.refresh();
      },
      onFailed: ({ kind }) => {
        if (kind === "conflict" || kind === "unauthenticated") scope.revalidate();
      },
    }),
  );
  return { uploads, line, arrived, isBusy: uploads.some(({ state }) => state !== "failed") };
}

const ACCEPTED = Object.keys(FILE_TYPES).join(",");

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

export function UploadBox({ address }: { address: string }) {
  const t = useTranslations("casework");
  const { uploads, line, arrived, isBusy } = useUploads(address);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Leaving the page would abort the uploads.
  useUnsaved(isBusy);

  return (
    <div
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        line.add(event.dataTransfer.files);
      }}
      data-screen-only
      className="px-5 py-3"
    >
      <div
        className={cn(
          "flex flex-wrap items-center gap-3 rounded border border-dashed px-3 py-2.5",
          isOver ? "border-accent bg-accent-tint" : "border-line-strong",
        )}
      >
        <Button onClick={() => input.current?.click()}>
          <Icon of="upload" size={14} />
          {t("choose")}
        </Button>
        <span className="text-muted">{t(isOver ? "dropNow" : "drop")}</span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          aria-label={t("choose")}
          onChange={(event) => {
            line.add(event.target.files ?? []);
            // Allows the same file to be chosen again.
            event.target.value = "";
          }}
        />
      </div>
      <ul className="space-y-2 not-empty:pt-3">
        {uploads.map((upload) => (
          <UploadItem
            key={upload.id}
            upload={upload}
            onAgain={() => line.again(upload.id)}
            onDrop={() => line.drop(upload.id)}
          />
        ))}
      </ul>
      <p aria-live="polite" className="text-sm text-muted not-empty:pt-2">
        {arrived === 0 ? null : t("uploaded", { count: arrived })}
      </p>
    </div>
  );
}

type UploadItemProps = { upload: Upload; onAgain: () => void; onDrop: () => void };

function UploadItem({ upload: { file, sentBytes, state, failure }, onAgain, onDrop }: UploadItemProps) {
  const t = useTranslations("casework");
  const { name, size } = file;
  return (
    <li className="rounded border border-line px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          <bdi>{name}</bdi>
        </span>
        {state === "failed" && failure?.kind !== "invalid" ? (
          <Button size="small" onClick={onAgain}>
            {t("uploadRetry")}
          </Button>
        ) : null}
        <Button
          size="small"
          tone="quiet"
          aria-label={state === "failed" ? t("uploadDismiss") : t("uploadCancel", { name })}
          onClick={onDrop}
        >
          <Icon of="x" size={13} />
        </Button>
      </div>
      {failure === null ? (
        <progress
          aria-label={t("uploading", { name })}
          value={sentBytes}
          max={Math.max(1, size)}
          className="mt-1.5 block h-1.5 w-full accent-accent"
        />
      ) : (
        <p role="alert" className="pt-1 text-sm text-negative">
          <FailureText failure={failure} />
        </p>
      )}
    </li>
  );
}
