import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { z } from "zod";
import { transaction } from "@/service/store/transaction";
import type { Tenant } from "@/service/tenants/load-tenants";
import type { Harness } from "./harness";
import { emit } from "@/service/webhooks/outbox";
import type { Answer, DeliveryRequest, Post } from "@/service/webhooks/post";

type Reaction = (request: DeliveryRequest, signal: AbortSignal) => Answer | Promise<Answer>;

/** A receiver in memory: keeps its requests and answers 200 unless `react` is set. */
export type Receiver = { requests: DeliveryRequest[]; post: Post; react: Reaction };

export const answered = (httpStatus: number): Answer => ({ httpStatus, error: null });

export function recordedReceiver(): Receiver {
  const receiver: Receiver = {
    requests: [],
    react: () => answered(200),
    post: async (request, signal) => {
      receiver.requests.push(request);
      return receiver.react(request, signal);
    },
  };
  return receiver;
}

/** Emits an event like an operation, by default for Aurora. */
export const raise = (service: Harness, tenant?: Tenant, payload: Record<string, unknown> = { onBoardingId: "o-1" }) =>
  transaction(service.app.service.db, (tx) => emit(service.call(tenant), tx, { event: "onboarding-create", payload }));

const Attempt = z.object({ at: z.string(), httpStatus: z.number().nullable(), error: z.string().nullable() });

/** The answer of `GET /sandbox/deliveries`. */
export const Deliveries = z.object({
  data: z.array(z.object({ id: z.string(), event: z.string(), status: z.string(), attempts: z.array(Attempt) })),
});

/** A tenant's deliveries, newest first; by default Aurora's. */
export async function deliveries(service: Harness, { clientId }: Pick<Tenant, "clientId"> = service.call().tenant) {
  return Deliveries.parse((await service.control("GET", `/sandbox/deliveries?clientId=${clientId}`)).body).data;
}

export type Listening = { port: number; close: () => Promise<void> };

/** A server on its own port on this machine; `close` ends its connections, too. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close: async () => {
      const closed = once(server.close(), "close");
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
