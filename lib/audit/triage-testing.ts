import { randomUUID } from "node:crypto";
import { givenCase } from "@/lib/kyc/testing";
import { givenStaff } from "@/lib/testing";
import { civilMinute } from "@/lib/text/time";
import type { Act } from "./acts-testing";

/** The ways in which people share out the cases among themselves. */
export const TRIAGE_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "kyc.assignCase": {
    "giving a case to a colleague": async ({ db, seatOf }) => {
      const to = await givenStaff(db, "compliance");
      return { by: await seatOf("compliance"), input: { kycUUID: await givenCase(db), to, from: null } };
    },
    "giving a colleague's case back to the queue": async ({ db, seatOf }) => {
      const from = await givenStaff(db, "compliance");
      const kycUUID = await givenCase(db, { assigneeId: from });
      return { by: await seatOf("compliance"), input: { kycUUID, to: null, from } };
    },
  },
  "kyc.claimCase": {
    "claiming a case": async ({ db, seatOf }) => ({
      by: await seatOf("compliance"),
      input: { kycUUID: await givenCase(db), takeFrom: null },
    }),
    "taking a case over": async ({ db, seatOf }) => {
      const takeFrom = await givenStaff(db, "compliance");
      const kycUUID = await givenCase(db, { assigneeId: takeFrom });
      return { by: await seatOf("compliance"), input: { kycUUID, takeFrom } };
    },
  },
  "kyc.takeNextCase": {
    "taking the next case": async ({ db, seatOf }) => {
      await givenCase(db);
      return { by: await seatOf("compliance"), input: { attemptId: randomUUID() } };
    },
  },
  "kyc.setAway": {
    "going away": async ({ seatOf }) => ({
      by: await seatOf("compliance"),
      input: { until: civilMinute(new Date(Date.now() + 86_400_000)), releases: false },
    }),
  },
  "kyc.releaseCase": {
    "releasing a case": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: { kycUUID: await givenCase(db, { assigneeId: by.staffId }) } };
    },
  },
};
