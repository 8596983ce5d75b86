import { expect, it } from "vitest";
import type { CaseDossier } from "@/lib/kyc/queries";
import { attemptsOf } from "./decisions";

const dossier = (id: string, frozen: string, end: "DONE" | "REFUSED" | null): CaseDossier => ({
  id,
  intentId: "one",
  decision: "APPROVED",
  byName: "Ana Prado",
  frozenAt: `2026-11-29T${frozen}:00Z`,
  sealed: end === null ? null : { at: `2026-11-29T${frozen}:02Z`, end, sha256: "0" },
});

it("lists an attempt that a decision ordered again took the place of, newest first", () => {
  const first = dossier("first", "19:25", "REFUSED");
  const second = dossier("second", "19:27", "REFUSED");
  const third = dossier("third", "19:28", "DONE");
  const at = "2026-11-29T19:28:00Z";
  expect(attemptsOf({ at }, [first, second, third])).toEqual({ attempts: [second, first], last: [third] });
  const open = dossier("open", "19:28", null);
  expect(attemptsOf({ at }, [second, open])).toEqual({ attempts: [second], last: [open] });
});
