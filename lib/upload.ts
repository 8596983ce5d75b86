import "server-only";
import { getTranslations } from "next-intl/server";
import { admitTo } from "@/lib/action";
import type { Actor } from "@/lib/auth/grant";
import type { Permission } from "@/lib/auth/permission";
import { BankError } from "@/lib/bank/answer";
import { DESK_HEADER } from "@/lib/auth/desk";
import { explain } from "@/lib/errors/explain";
import { log } from "@/lib/process/log";
import { STATUS } from "@/lib/query";
import type { ActionResult } from "@/lib/errors/result";
import { withoutParameters } from "@/lib/store/error";

type Segments = Record<string, string>;

/** What was sent: all of it, its headers, and the dynamic segments of the address it was sent to. */
export type Sent = { bytes: Uint8Array; headers: Headers; segments: Segments };

type Handler = (request: Request, context: { params: Promise<Segments> }) => Promise<Response>;

/** The whole body, counted as it comes; whoever says how much it is and sends something else sent it in part. */
async function bodyOf({ body, headers }: Request, mostBytes: number): Promise<Uint8Array> {
  const announced = Number(headers.get("content-length") ?? Number.NaN);
  if (announced > mostBytes) throw new BankError("invalid", { code: "file-too-large" });
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body ?? []) {
    sizeBytes += part.length;
    if (sizeBytes > mostBytes) throw new BankError("invalid", { code: "file-too-large" });
    parts.push(part);
  }
  if (sizeBytes !== announced) throw new BankError("invalid", { code: "file-broken-off" });
  return Buffer.concat(parts);
}

const answer = <T>(result: ActionResult<T>, status: number) =>
  Response.json(result, { status, headers: { "cache-control": "no-store" } });

/**
 * A POST handler that takes the bytes of one file: session, origin, desk and permission first, as for an action, then what
 * was sent, then `write`. It answers with what an action would, and with the status of what went wrong.
 */
export function upload<P extends Permission, T>(
  permission: P,
  mostBytes: number,
  write: (actor: Actor<P>, sent: Sent) => Promise<T>,
): Handler {
  const admit = admitTo(permission);
  return async (request, { params }) => {
    const [say, segments] = await Promise.all([getTranslations(), params]);
    try {
      const actor = await admit(request.headers.get(DESK_HEADER) ?? "");
      const bytes = await bodyOf(request, mostBytes);
      return answer({ ok: true, data: await write(actor, { bytes, headers: request.headers, segments }) }, 200);
    } catch (error) {
      if (!(error instanceof BankError)) throw withoutParameters(error);
      log.warn({ upload: permission, kind: error.kind, code: error.details.code }, "upload failed");
      return answer({ ok: false, error: explain(error, say) }, STATUS[error.kind]);
    }
  };
}
