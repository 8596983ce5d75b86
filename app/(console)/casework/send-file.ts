import { FILE_HEADERS } from "@/lib/casework/view";
import { DESK_HEADER } from "@/lib/auth/view";
import type { ActionResult } from "@/lib/errors/result";

type Order = {
  address: string;
  desk: string;
  id: string;
  file: File;
  onProgress: (sentBytes: number) => void;
  unanswered: string;
};

export type Sending = { answer: Promise<ActionResult<null> | "cancelled">; cancel: () => void };

/** Headers are ASCII. */
function base64url(text: string): string {
  const bytes = String.fromCodePoint(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const isResult = (value: unknown): value is ActionResult<null> =>
  typeof value === "object" && value !== null && "ok" in value;

/** XMLHttpRequest, because `fetch` has no upload progress. */
export function sendFile({ address, desk, id, file, onProgress, unanswered }: Order): Sending {
  const request = new XMLHttpRequest();
  const lost: ActionResult<null> = { ok: false, error: { kind: "unavailable", message: unanswered } };
  const answer = new Promise<ActionResult<null> | "cancelled">((resolve) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      const said: unknown = request.response;
      resolve(isResult(said) ? said : lost);
    });
    request.addEventListener("error", () => resolve(lost));
    request.addEventListener("abort", () => resolve("cancelled"));
  });
  request.open("POST", address);
  request.responseType = "json";
  request.setRequestHeader(DESK_HEADER, desk);
  request.setRequestHeader(FILE_HEADERS.id, id);
  request.setRequestHeader(FILE_HEADERS.name, base64url(file.name));
  request.setRequestHeader("content-type", "application/octet-stream");
  request.send(file);
  return { answer, cancel: () => request.abort() };
}
