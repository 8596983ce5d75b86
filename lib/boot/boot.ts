import { watchId } from "@/lib/permission/watches";
import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { entriesWatch } from "@/lib/accounts/watch";
import { approvalsWatch } from "./approvals-watch";
import { areaWatches } from "./area-watches";
import { recordIncident } from "@/lib/audit/incident";
import { auditCheckWatch, auditHeadsWatch } from "@/lib/audit-trail/watch";
import { sessionWatch } from "@/lib/auth/sessions";
import { endCallLog } from "@/lib/provider/call-log";
import { endFindings } from "@/lib/provider/findings";
import { endRefusedReads } from "@/lib/audit/record";
import { refusals } from "@/lib/webhooks/refusals";
import { unknownIntents } from "@/lib/provider/intents/intent";
import { depositWatch } from "@/lib/deposits/watch";
import { callWatch } from "@/lib/calls/watch";
import { decisionWatch, deskWatch } from "@/lib/kyc/watch";
import { databaseProbe } from "@/lib/health/database";
import { healthWatch } from "@/lib/health/watch";
import { endEarlierDrills } from "@/lib/lab/drill";
import { liveHub } from "@/lib/live/live";
import { movementsWatch } from "@/lib/movements/watch";
import { positionWatch } from "@/lib/position/watch";
import { reconcileWrites } from "@/lib/sent-writes";
import { retentionWatch } from "@/lib/privacy/watch";
import { env } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import { addDemoStaff } from "@/lib/staff/records";
import { accessReviewWatch } from "@/lib/staff/watch";
import { mailsWatch } from "./mail-watch";
import { serveMetrics } from "./metrics-server";
import { withoutParameters } from "@/lib/db/error";
import { forgetLeases } from "@/lib/db/lease";
import { type Db, store } from "@/lib/db/connection";
import { forgetFailures } from "@/lib/db/watch-state";
import { countFrontRefusals } from "@/lib/webhooks/front";
import { replayWatch } from "@/lib/webhooks/replay-watch";
import { expectedWatch, webhookWatch } from "@/lib/webhooks/watch";
import { serveCommands } from "@/lib/db/command";
import { answerCommand } from "./commands";
import { demoWatch } from "./demo";
import { EmbeddedDatabaseError } from "@/lib/db/embedded";
import { log } from "@/lib/log/log";
import { announceWatches, startWatches } from "@/lib/watch/watch";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Next ends the process once its server is closed, so `end` runs first. It must not reject. */
export function endFirst(program: EventEmitter, end: () => Promise<unknown>): void {
  let ending: Promise<unknown> | undefined;
  for (const signal of SIGNALS) {
    const others = program.listeners(signal);
    program.removeAllListeners(signal);
    const notifyOthers = () => others.map((listener): unknown => Reflect.apply(listener, program, [signal]));
    program.on(signal, () => {
      ending ??= end().then(notifyOthers);
    });
  }
}

const ENDED_WITHIN_MS = 8_000;

/** The watches retry what fails here. */
export async function reconcileTenant(db: Db, tenant: string): Promise<void> {
  const by = watchId("start");
  await forgetFailures(db, tenant);
  const settling = [reconcileWrites(tenant), recordUnknownIntents(db, tenant)];
  for (const settled of await Promise.allSettled(settling)) {
    if (settled.status === "rejected")
      log.error({ tenant, by, err: withoutParameters(settled.reason) }, "what was being sent could not be settled");
  }
}

async function recordUnknownIntents(db: Db, tenant: string): Promise<void> {
  for (const { id: intentId, object } of await unknownIntents(db, tenant))
    await recordIncident(db, { tenant, by: watchId("start"), object, intentId, cause: "kind-unknown" });
}

const endGathered = () => Promise.allSettled([endCallLog(), endFindings(), refusals().end(), endRefusedReads()]);

async function open(): Promise<URL> {
  const { tenants, isEmbedded, hasDemoActivity, databaseUrl, dataDir, publicUrl, warnings } = env();
  for (const warning of warnings) log.warn(warning);
  const opened = await store();
  countFrontRefusals();
  if (databaseUrl === null) {
    await forgetLeases(opened.db);
    serveCommands(dataDir, (request) => answerCommand(opened.db, request));
  }
  if (isEmbedded) await addDemoStaff(tenants.map(({ clientId }) => clientId));
  for (const { clientId } of tenants) await endEarlierDrills(opened.db, clientId);
  for (const { clientId } of tenants) await reconcileTenant(opened.db, clientId);
  const watches = [
    ...areaWatches,
    decisionWatch,
    deskWatch,
    approvalsWatch,
    positionWatch,
    entriesWatch,
    webhookWatch,
    replayWatch,
    depositWatch,
    expectedWatch,
    callWatch,
    auditHeadsWatch,
    auditCheckWatch,
    sessionWatch,
    retentionWatch,
    accessReviewWatch,
    movementsWatch,
    mailsWatch,
    healthWatch,
    ...(hasDemoActivity ? [demoWatch()] : []),
  ];
  const endMetrics = await serveMetrics(watches);
  for (const { clientId } of tenants) await announceWatches(clientId, watches);
  const stops = tenants.map(({ clientId }) => startWatches(clientId, watches));
  const live = liveHub();
  databaseProbe().start();
  // An open stream would keep the server from ending.
  const end = () =>
    Promise.allSettled([live.close(), endMetrics(), endGathered(), ...stops.map((stop) => stop())]).then(endGathered);
  // A silent store must not keep the process alive.
  endFirst(process, () => Promise.race([end(), sleep(ENDED_WITHIN_MS)]));
  return publicUrl;
}

/** Returns the console's own origin. Ends the process with one line on standard error when it cannot start. */
export async function start(): Promise<URL> {
  try {
    return await open();
  } catch (error) {
    const isPlain = error instanceof SettingError || error instanceof EmbeddedDatabaseError;
    process.stderr.write(`console cannot start: ${isPlain ? error.message : String(error)}\n`);
    return process.exit(1);
  }
}
