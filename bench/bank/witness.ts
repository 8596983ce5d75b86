import { Client } from "pg";
import type { Fault } from "./fault";

/** Looks, over a connection of its own, whether an intent is on record while its request is at the service. */
export type Witness = {
  /** Passes the answer on after a look at the intent. */
  watching: (intentId: string) => Fault;
  looks: () => number;
  found: () => number;
  close: () => Promise<void>;
};

export async function openWitness(databaseUrl: string): Promise<Witness> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  let [looks, found] = [0, 0];
  const look = async (intentId: string) => {
    looks += 1;
    const { rowCount } = await client.query(
      "select 1 from bank_intent where id = $1 and state = 'SENDING' and attempts > 0",
      [intentId],
    );
    found += rowCount ?? 0;
  };
  return {
    watching: (intentId) => ({
      name: "witness",
      isForwarded: true,
      strike: (socket, { head, body }) => {
        void look(intentId).then(() => socket.end(Buffer.concat([head, body])));
      },
    }),
    looks: () => looks,
    found: () => found,
    close: () => client.end(),
  };
}
