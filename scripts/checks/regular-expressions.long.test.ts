import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { checkSync } from "recheck";
import { beforeEach, describe, expect, it, vi } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const FOLDERS = ["app", "components", "server", "lib", "service"];
const isProduct = (path: string) => /\.(tsx?|mjs)$/.test(path) && !/(\.test\.tsx?|testing\.ts)$/.test(path);
const MAX_MS_EACH = 20_000;

/** Expressions that the checker finds slow, or cannot judge because of a lookahead, and why they may stay. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: "over addresses from the operator's own settings",
  [String.raw`/^[^\p{L}]+|[^\p{L}]+$/gu`]: "over a password, of at most 128 characters",
  [String.raw`/^(?=.*[\p{L}\p{N}])[\p{L}\p{N} ._:/-]{2,120}$/u`]: "one look ahead, from the start alone",
  [String.raw`/^(?=.*[A-Za-z])[\w.:-]{1,120}$/`]: "one look ahead, from the start alone",
  [String.raw`/^(?!.*\d{6})[A-Za-z][\w-]{0,63}$/`]: "one look ahead, from the start alone",
  [String.raw`/^[a-z-]+:(?!\d{11}$|\d{14}$)[\w-]{1,80}$/`]: "a bounded look ahead, at one place",
  [String.raw`/^::ffff:(?=\d+\.)/i`]: "a look ahead, at one place",
  [String.raw`/^0+(?=\d)/`]: "steps back by one digit",
  [String.raw`/^(\/api\/hooks\/[^/?#]+)\/+(?=$|[?#])/`]: "over an address of at most 16 kB, from the start alone",
  [String.raw`/^(\d{8})(\d{6}(?!\d).*)$/`]: "a look ahead, at one place",
  [String.raw`/(?<hour>\d\d)(?:(?<colon>:?)(?<minute>[0-5]\d)(?:\k<colon>(?<second>[0-5]\d|60))?)?(?:[.,](?<fraction>\d+))?/`]:
    "a source for one of time.ts, anchored there, whose back reference is of one sign",
  [String.raw`/^(.{1,40}?)(?:,?[T ]{1,3}(?:às )?([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?)?$/i`]:
    "forty places at most, from the start alone",
  [String.raw`/^([1-9]\d{0,2}([ .,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/`]: "a back reference of one sign",
  [String.raw`/^(r[1-9A-HJ-NP-Za-km-z]{24,34})(?![1-9A-HJ-NP-Za-km-z]).+$/`]: "a look ahead, at ten places at most",
  [String.raw`/^(?=.*\d)[0-9A-Z]{5}$/`]: "one look ahead, from the start alone",
  [String.raw`/^(?=.*[1-9])\d{1,15}(?:\.\d{1,18})?$/`]: "one look ahead, from the start alone",
  [String.raw`/^(?:revert|fail|err(?:or|o)|falh|reject|rejeit|refus|recus|cancel|drop|discard|descart|invalid|replaced|orphan|outofgas|.*false)/`]:
    "one run to the end, from the start alone",
  [String.raw`/(?<![\p{L}\p{N}])(?=((?:\d[^\p{L}\p{N}]+){10}\d)(?![\p{L}\p{N}]))/gu`]:
    "a look back by one sign, and no gap is read more than eleven times",
  [String.raw`/(?<!\d)\d+(?:[^\p{L}\p{N}]+\d+)+/gu`]: "a look back by one digit, and no sign is both a digit and a gap",
  [String.raw`/(?<!\d)(?:19|20)\d{2}-[01]\d-[0-3]\d(?:[T ]+[0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/`]:
    "looks back and ahead by one digit, and each gap belongs to one date",
  [String.raw`/(?<!\d)[0-3]\d\/[01]\d\/(?:19|20)\d{2}(?: +[0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/`]:
    "looks back and ahead by one digit, and each gap belongs to one date",
  [String.raw`/(?<!\d)(?:\+\d[\d ().-]{8,16}\d|\(\d{2}\) *\d{4,5}[- ]?\d{4}|\d{2} 9?\d{4}-\d{4})(?!\d)/`]:
    "looks back and ahead by one digit, and each gap belongs to one area code",
  [String.raw`/(?<!\d)\d{4}(?: *\/ *| +)\d{5,10}-\d(?!\d)/`]:
    "looks back and ahead by one digit, and each gap is read twice at most",
  [String.raw`/(?<![\d.,])\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.)\d{2}(?![\d.,])/`]:
    "looks back and ahead by one sign, so that it starts once a number",
  [String.raw`/(?<!\p{L})(?:NFS?-?e?|NFC-?e|DANFE|notas?(?: fisca(?:l|is))?|faturas?|invoices?|pedidos?|orders?|contratos?|contracts?|processos?|protocolos?|boletos?)(?:[^\p{L}\p{N}]*n[o.º°]*)?[^\p{L}\p{N}]*$/iu`]:
    "over the 32 signs before a number",
  [String.raw`/(?:(?<!\p{L})(?:IP(?:v4)?|host|servidor|server|gateway|proxy|client|from|origem|source)[^\p{L}\p{N}]*|:\/\/)$/iu`]:
    "over the 32 signs before a number",
  [String.raw`/(?:[$€£] *|(?<!\p{L})(?:BRL|USD|EUR|valor|total|saldo|amount|balance)[^\p{L}\p{N}]*)$/iu`]:
    "over the 32 signs before a number",
};

/** Files that build expressions, and from what. */
const BUILDERS: Readonly<Record<string, string>> = {
  "lib/contract/document.ts": "the sizes of a document's groups, and the literals above",
  "lib/contract/fold.ts": "two literals",
  "lib/text/read-time.ts": "three literals, anchored at both ends",
  "lib/text/safe-link.ts": "five dots, over at most four signs at a place",
  "lib/text/tipping-off.ts": "four shapes of at most 25 signs",
  "lib/text/typed-date.ts": "the names of the months",
};

type Found = { literals: Map<string, { source: string; flags: string; path: string }>; made: string[] };

function findExpressions(): Found {
  const found: Found = { literals: new Map(), made: [] };
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  for (const path of paths.filter(isProduct)) {
    const { program } = parseSync(path, readFileSync(join(root, path), "utf8"));
    const noteMade = ({ callee, arguments: [text] }: { callee: object; arguments: readonly object[] }) => {
      if (!("name" in callee) || callee.name !== "RegExp") return;
      if (text === undefined || !("type" in text) || text.type !== "Literal") found.made.push(path);
    };
    new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const { pattern: source, flags } = node.regex;
        found.literals.set(`/${source}/${flags}`, { source, flags, path });
      },
      NewExpression: noteMade,
      CallExpression: noteMade,
    }).visit(program);
  }
  return found;
}

/** Why an expression may take more than linear time; null when it never does. */
function slowness(source: string, flags: string): string | null {
  const judged = checkSync(source, flags, { checker: "automaton", timeout: MAX_MS_EACH });
  if (judged.status === "safe") return null;
  return judged.status === "vulnerable" ? judged.complexity.summary : judged.status;
}

// Runs the checker in this process instead of Java or a native program.
beforeEach(() => void vi.stubEnv("RECHECK_SYNC_BACKEND", "pure"));

describe("the regular expressions of the product", () => {
  const { literals, made } = findExpressions();

  it("runs every expression in linear time, except those listed with a reason", () => {
    const slow = [...literals].flatMap(([text, { source, flags, path }]) => {
      const why = slowness(source, flags);
      return why === null ? [] : [{ text, path, why }];
    });
    expect(slow.filter(({ text }) => !(text in EXCEPTIONS))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((text) => !slow.some((found) => found.text === text))).toEqual([]);
  });

  it("checks many expressions and finds a quadratic one", () => {
    expect(literals.size).toBeGreaterThan(150);
    expect(slowness(String.raw`"(?:[^"\\]|\\.)*"|[[\]{}]`, "gs")).toBe("2nd degree polynomial");
  });

  it("writes expressions as literals, except a few built from bounded constants", () => {
    expect([...new Set(made)].toSorted()).toEqual(Object.keys(BUILDERS));
  });
});
