"use client";

import { startRequiredEnrolment } from "@/lib/auth/actions";
import { EnrolmentSteps } from "./enrolment-steps";

/** The way in for whose role asks for a second factor: a whole page load once it is there. */
export const RequiredEnrolment = ({ leadsTo }: { leadsTo: string }) => (
  <EnrolmentSteps start={startRequiredEnrolment} onDone={() => window.location.assign(leadsTo)} />
);
