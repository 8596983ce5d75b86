import type { StormReport } from "./storm";

type Figure = { says: string; value: string; isWrong: boolean };

const fact = (says: string, value: string | number): Figure => ({ says, value: String(value), isWrong: false });
const mustBe = (wanted: number | boolean, says: string, value: number | boolean): Figure => ({
  says,
  value: String(value),
  isWrong: value !== wanted,
});

const ms = (value: number | undefined) => `${Math.round(value ?? 0)} ms`;

function restarts(restartsMs: readonly number[]): string {
  const sorted = restartsMs.toSorted((one, other) => one - other);
  return `p50 ${ms(sorted[Math.floor(sorted.length / 2)])}, max ${ms(sorted.at(-1))}`;
}

/** Every figure of a storm, and whether it is one that must not be. */
export function figuresOf(report: StormReport): Figure[] {
  const { orders } = report;
  const count = (...outcomes: string[]) => orders.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return [
    fact("kills", report.kills),
    fact("restarts, from kill to ready", restarts(report.restartsMs)),
    fact("starts refused while the dead one's claim stood", report.refusedStarts),
    fact("acknowledged transfers", count("done", "released")),
    fact("  of them TED", orders.filter(({ to, outcome }) => to === null && outcome === "done").length),
    fact("held, then released / rejected / left", `${count("released")} / ${count("rejected")} / ${count("held")}`),
    fact("refused for want of balance", count("refused")),
    mustBe(0, "acknowledged entries lost", report.lost),
    mustBe(0, "entries doubled or never acknowledged", report.doubled),
    mustBe(0, "accounts whose balances differ from what was acknowledged", report.wrongBalances),
    mustBe(true, "books balanced", report.balanced),
    mustBe(0, "drift", report.drift),
    fact("onboardings acknowledged", report.onboardings),
    fact("events delivered / failed after 4 attempts", `${report.delivered} / ${report.failed}`),
    mustBe(0, "events neither delivered nor failed as they should", report.unsettled),
    mustBe(0, "events missing, or from nowhere", report.missing),
    mustBe(0, "deliveries with a wrong signature", report.forged),
    fact("deliveries sent, but killed before they were noted", report.repeated),
    mustBe(0, "exit code on SIGTERM afterwards", report.exitCode ?? -1),
  ];
}

/** What must not be; empty when the storm was weathered. */
export const violationsOf = (report: StormReport): string[] =>
  figuresOf(report).flatMap(({ says, value, isWrong }) => (isWrong ? [`${says}: ${value}`] : []));

export const linesOf = (report: StormReport): string[] =>
  figuresOf(report).map(({ says, value, isWrong }) => `${isWrong ? "✗" : " "} ${says.padEnd(60)} ${value}`);
