import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const here = import.meta.dirname;
const Line = z.object({ level: z.number(), time: z.iso.datetime(), msg: z.string() });

/** The lines of another process that prints this, as the runner needs its own console. */
function linesOf(program: string): z.infer<typeof Line>[] {
  const source = `const { logWhatIsPrinted } = await import(${JSON.stringify(join(here, "log.mjs"))}); logWhatIsPrinted(); ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  expect(stdout).toBe("");
  return stderr
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));
}

describe("what Next prints in an installation", () => {
  it("prints one line of JSON each, with its level and without colours", () => {
    const lines = linesOf(
      String.raw`console.log("\u001b[32m ready\u001b[39m"); console.error("one\nline"); console.warn(7, { a: "held" })`,
    );
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [30, "ready"],
      [50, "one\nline"],
      [40, "7 [Object]"],
    ]);
  });

  it("names the failed query without its parameters, in errors and their causes", () => {
    const [line] = linesOf(String.raw`
      const cause = new Error("Failed query: select 2\nparams: 52998224725");
      console.error(" ⨯ ", new Error("Failed query: select 1 where id_hash = $1\nparams: c2Vzc2lvbg,ana@aurora.example", { cause }));
    `);
    expect(line?.msg).toMatch(
      /^⨯ {2}Error: Failed query: select 1 where id_hash = \$1\n +at .*\ncaused by Error: Failed query: select 2\n/s,
    );
    expect(line?.msg).not.toMatch(/c2Vzc2lvbg|ana@|52998224725/);
  });

  it("cuts an absurdly long log line", () => {
    expect(linesOf(`console.error("x".repeat(100_000))`)[0]?.msg).toHaveLength(2_000);
  });
});

describe("the console's process", () => {
  it.each([
    ["PUBLIC_URL", "not a url"],
    ["PUBLIC_URL", "ftp://desk.example"],
    ["TRUSTED_PROXIES", "1"],
  ])("stops before starting with %s=%s, in one line that names it", (name, value) => {
    const env = { ...process.env, PUBLIC_URL: "", TRUSTED_PROXIES: "", [name]: value };
    const { status, stderr } = spawnSync(process.execPath, [join(here, "main.mjs")], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^console cannot start: ${name}: [^\n]+\n$`)),
    ]);
  });
});
