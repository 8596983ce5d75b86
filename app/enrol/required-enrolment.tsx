"use client";

import { startRequiredEnrolment } from "@/lib/auth/actions";
import { EnrolmentSteps } from "./enrolment-steps";

/** A whole page load at the end. */
export const RequiredEnrolment = ({ leadsTo }: { leadsTo: string }) => (
  <EnrolmentSteps start={startRequiredEnrolment} onDone={() => window.location.assign(leadsTo)} />
);
