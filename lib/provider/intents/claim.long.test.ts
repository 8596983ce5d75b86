import { headers } from "next/headers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ROLES } from "@/lib/permission/permission";
import { getOpenSession, getSession } from "@/lib/auth/session";
import type { Session } from "@/lib/auth/sessions";
import { scopeIdOf } from "@/lib/auth/view";
import english from "@/messages/en.json";
import { ACTS } from "@/test/registries/acts";
import { MAKING, rightInputOf, WRITES } from "@/test/registries/inputs";
import { exportsOf, isCallable } from "@/test/registries/tenants";
import { givenStaff } from "@/test/support/console";
import { type Act, givenStage, type Stage } from "@/test/support/stage";

/** They use an existing write's id and make none. */
const NAMING = [
  "kyc.reconcileStart",
  "onboarding.reconcileAccount",
  "outcomes.excludeCandidate",
  "transfers.checkHold",
  "wallets.reconcileWallet",
];

const Fields = z.record(z.string(), z.unknown());
const idOf = (input: unknown) => ["intentId", "bulkId"].find((name) => name in (Fields.safeParse(input).data ?? {}));

/** Actions without a record have no valid input there. */
function mayClaim(name: string): boolean {
  const write = WRITES[name];
  if (write === undefined || NAMING.includes(name)) return false;
  if (!("about" in write) && write.input === undefined) return MAKING.includes(name);
  return idOf(rightInputOf(name)) !== undefined;
}

/** Ids of their own tables. */
const OTHER_IDS = ["kyc.takeNextCase", "preferences.saveView"];

type Way = { way: string; name: string; ready: Act };

const ways = Object.entries(ACTS)
  .filter(([name]) => mayClaim(name) && !OTHER_IDS.includes(name))
  .flatMap(([name, all]) => Object.entries(all).map(([way, ready]): Way => ({ way, name, ready })))
  // Its policy applies from then on.
  .toSorted(
    (one, other) => Number(one.name === "accounts.closeAccountNow") - Number(other.name === "accounts.closeAccountNow"),
  );

/** Another body for the same act; a closed account is refused first. */
const OTHERWISE: Readonly<Record<string, (stage: Stage, input: Record<string, unknown>) => object>> = {
  "accounts.proposeAccountClosure": () => ({ reason: "Outro motivo" }),
  "approvals.setApprovalPolicy": () => ({ expiresAfterHours: 48 }),
  "kyc.assignCases": () => ({ to: null }),
  "kyc.decideCase": () => ({ reason: "Outros dados conferem." }),
  "kyc.startCase": (_stage, { backgroundcheckModel: model }) => ({
    backgroundcheckModel: model === "BASIC" ? "COMPLETE" : "BASIC",
  }),
  "kyc.tagCases": () => ({ tag: "outra" }),
  "onboarding.createAccount": () => ({ email: "outra@aurora.example" }),
  "onboarding.followOnboarding": ({ parties }) => ({ query: parties[1].onBoardingId }),
  "outcomes.endOutcome": () => ({ reason: "Outro motivo" }),
  "staff.invitePerson": () => ({ name: "Outra Lima" }),
  "staff.resetSecondFactor": ({ makerId }) => ({ staffId: makerId }),
  "staff.setRoles": ({ makerId }) => ({ staffId: makerId }),
  "transfers.orderTransfer": () => ({ amount: "5.000,01" }),
  "wallets.createDepositAddress": () => ({ reference: "order-8" }),
  "wallets.createWallet": () => ({ isForward: true }),
  "wallets.sendCoins": () => ({ amount: "0,6" }),
};

/** Without a required approval nothing is proposed. */
const NEVER_TRIED: Readonly<Record<string, string>> = { "accounts.closeAccountNow": "accounts.proposeAccountClosure" };

const actions = await exportsOf("actions", isCallable);

let stage: Stage;
let person: Session;
let colleague: Session;
beforeEach(async () => {
  vi.mocked(headers).mockResolvedValue(new Headers({ origin: "http://localhost:3000" }));
  const desk = await givenStage();
  person = await desk.seat(await givenStaff(desk.db, ...ROLES));
  colleague = await desk.seat(await givenStaff(desk.db, ...ROLES));
  // One person may do everything, so that only the id is in the way.
  stage = { ...desk, seat: async () => person, seatOf: async () => person, withFactor: async () => person };
});

type Answer = { ok: true } | { ok: false; error: { message: string } };
const Answer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: z.object({ message: z.string() }) }),
]);

async function act(name: string, by: Session, input: unknown): Promise<Answer> {
  vi.mocked(getSession).mockResolvedValue(by);
  vi.mocked(getOpenSession).mockResolvedValue(by);
  const action = actions.get(name);
  if (action === undefined) throw new Error(`${name} is no action`);
  return Answer.parse(await action(input, scopeIdOf(by)));
}

const inputOf = async ({ ready }: Way) => Fields.parse((await ready(stage)).input);
const under = (id: unknown, input: Record<string, unknown>) => ({ ...input, [idOf(input) ?? ""]: id });

const saidOf = (answer: Answer) => (answer.ok ? "done" : answer.error.message);
const REUSED = english.failures["intent-reused"];

const counted = { act: 0, person: 0, body: 0 };
afterAll(() =>
  console.info(
    `one id, one meaning: ${counted.act} uses by another act, ${counted.person} by another person, ${counted.body} with another body: all conflicts`,
  ),
);

describe("an id that was used", () => {
  it.each(ways.map((one) => [one.way, one.name, one] as const))(
    "refuses an id used by %s for anything else (%s)",
    async (_, name, first) => {
      const input = await inputOf(first);
      const id = input[idOf(input) ?? ""];
      expect(saidOf(await act(name, person, input))).toBe("done");
      const said: Record<string, string> = {};
      for (const other of ways.filter((one) => one.name !== name && one.name !== NEVER_TRIED[name])) {
        said[other.way] = saidOf(await act(other.name, person, under(id, await inputOf(other))));
        counted.act += 1;
      }
      expect(said).toEqual(Object.fromEntries(Object.keys(said).map((way) => [way, REUSED])));
      expect(saidOf(await act(name, colleague, input))).toBe(REUSED);
      counted.person += 1;
      const otherwise = OTHERWISE[name]?.(stage, input);
      if (otherwise === undefined) return;
      expect(saidOf(await act(name, person, { ...input, ...otherwise }))).toBe(REUSED);
      counted.body += 1;
      expect(saidOf(await act(name, person, input))).not.toBe(REUSED);
    },
  );
});
