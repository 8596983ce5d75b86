import { describe, expect, it } from "vitest";
import { createNotebook, readReports, type Violation } from "./csp-report";

const reported = (changes = {}) => ({
  type: "csp-violation",
  body: {
    effectiveDirective: "script-src-elem",
    blockedURL: "https://evil.example/x.js?cpf=52998224725",
    documentURL: "https://desk.example/kyc?search=52998224725",
    sourceFile: "https://desk.example/_next/static/chunks/a.js",
    lineNumber: 7,
    sample: "alert('52998224725')",
    ...changes,
  },
});

const asNoted: Violation = {
  directive: "script-src-elem",
  blocked: "https://evil.example",
  page: "/kyc",
  source: "/_next/static/chunks/a.js",
  line: 7,
};

describe("what a browser reports of the page's policy", () => {
  it("logs a violation without queries and samples, in both browser formats", () => {
    const older = {
      "csp-report": {
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/x.js",
        "document-uri": "https://desk.example/kyc",
        "source-file": "https://desk.example/_next/static/chunks/a.js",
        "line-number": 7,
      },
    };
    expect(readReports([reported()])).toEqual([asNoted]);
    expect(readReports(older)).toEqual([asNoted]);
  });

  it("refuses a report in no known format", () => {
    for (const body of [null, "x", 7, {}, [{}], { "csp-report": 1 }, [reported({ effectiveDirective: 1 })]]) {
      expect(readReports(body)).toEqual([]);
    }
  });

  it("cannot inject text into the log", () => {
    const [read] = readReports([
      reported({ effectiveDirective: "x\n{}", blockedURL: "\u001b[31m", lineNumber: "9\n" }),
    ]);
    expect(read).toEqual({ ...asNoted, directive: "unreadable", blocked: "unreadable", line: 0 });
  });

  it("logs at most thirty lines a minute, and counts the ones left out", () => {
    let nowMs = 0;
    const lines: unknown[] = [];
    const note = createNotebook(
      () => nowMs,
      (line) => lines.push(line),
    );
    for (let flood = 0; flood < 100; flood += 1) note(readReports(Array.from({ length: 500 }, () => reported())));
    expect(lines).toHaveLength(30);
    nowMs += 60_000;
    note([asNoted]);
    expect(lines.slice(30)).toEqual([{ unnoted: 970 }, asNoted]);
  });
});
