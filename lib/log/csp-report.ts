import "server-only";
import { z } from "zod";
import { log } from "./log";

const MAX_IN_ONE_BODY = 10;
const MAX_A_MINUTE = 30;
const MINUTE_MS = 60_000;

/** No query, no markup, no sample. */
export type Violation = { directive: string; blocked: string; page: string; source: string; line: number };

const isPlainWord = (text: string) => /^[a-z-]{1,40}$/.test(text);
const Directive = z.string().transform((text) => (isPlainWord(text) ? text : "unreadable"));

/** A keyword (`inline`, `eval`) or a URL, reduced to its origin. */
const Blocked = z
  .string()
  .default("")
  .transform((text) => {
    if (isPlainWord(text)) return text;
    return URL.canParse(text) ? new URL(text).origin.slice(0, 200) : "unreadable";
  });

const Path = z
  .string()
  .default("")
  .transform((text) => (URL.canParse(text) ? new URL(text).pathname.slice(0, 200) : ""));

const Line = z.int().nonnegative().catch(0);

const ByEndpoint = z
  .object({
    type: z.literal("csp-violation"),
    body: z.object({
      effectiveDirective: Directive,
      blockedURL: Blocked,
      documentURL: Path,
      sourceFile: Path,
      lineNumber: Line,
    }),
  })
  .transform(({ body }): Violation => ({
    directive: body.effectiveDirective,
    blocked: body.blockedURL,
    page: body.documentURL,
    source: body.sourceFile,
    line: body.lineNumber,
  }));

const ByAddress = z
  .object({
    "csp-report": z.object({
      "effective-directive": Directive,
      "blocked-uri": Blocked,
      "document-uri": Path,
      "source-file": Path,
      "line-number": Line,
    }),
  })
  .transform(({ "csp-report": body }): Violation => ({
    directive: body["effective-directive"],
    blocked: body["blocked-uri"],
    page: body["document-uri"],
    source: body["source-file"],
    line: body["line-number"],
  }));

const Report = z.union([ByEndpoint, ByAddress]);

/** Reporting API, or the older `report-uri`; anything else is ignored. */
export function readReports(body: unknown): Violation[] {
  const reports: unknown[] = Array.isArray(body) ? body.slice(0, MAX_IN_ONE_BODY) : [body];
  return reports.flatMap((report) => Report.safeParse(report).data ?? []);
}

export function createNotebook(now: () => number, write: (line: Violation | { unnoted: number }) => void) {
  let startedAtMs = now();
  let noted = 0;
  let unnoted = 0;
  return (violations: Violation[]) => {
    if (now() - startedAtMs >= MINUTE_MS) {
      if (unnoted > 0) write({ unnoted });
      [startedAtMs, noted, unnoted] = [now(), 0, 0];
    }
    const room = MAX_A_MINUTE - noted;
    violations.slice(0, room).forEach(write);
    noted += Math.min(room, violations.length);
    unnoted += Math.max(0, violations.length - room);
  };
}

const note = createNotebook(Date.now, (line) => log.warn(line, "a page's policy refused something"));

export const noteReports = (body: unknown): void => note(readReports(body));
