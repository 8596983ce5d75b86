import type { Service } from "@/service/context";
import { type Scheduler, startScheduler } from "@/service/jobs/scheduler";
import { nextDeliveryAt } from "./outbox";
import type { Sender } from "./sender";

/**
 * Keeps delivering, beside the planned work and never inside it: when an event is emitted, when an attempt falls due,
 * when a place becomes free and when the clock is moved.
 */
export function startSender(service: Service, sender: Sender): Scheduler {
  const scheduler = startScheduler(service, {
    alarm: service.outbox,
    runDue: sender.begin,
    nextDueAt: () => nextDeliveryAt(service),
  });
  return {
    stop: async () => {
      await scheduler.stop();
      await sender.stop();
    },
  };
}
