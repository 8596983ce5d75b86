import type { Service } from "@/service/context";
import type { Outcome } from "./deliver";
import { saveOutcomes } from "./outbox";
import { pause } from "./pause";

const AGAIN_AFTER_MS = 1_000;

type Waiting = { outcome: Outcome; isSaved: () => void };

/**
 * Saves outcomes one statement at a time, each with all that have gathered meanwhile. A promise is kept when its outcome
 * is saved, however often the database fails before: an outcome forgotten would be an attempt made twice.
 */
export function saveTogether({ db, log }: Pick<Service, "db" | "log">): (outcome: Outcome) => Promise<void> {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const persist = async (outcomes: Outcome[]): Promise<void> => {
    const isSaved = await saveOutcomes({ db }, outcomes).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, "outcomes of webhooks could not be saved yet");
        return false;
      },
    );
    if (isSaved) return;
    await pause(AGAIN_AFTER_MS);
    return persist(outcomes);
  };
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await persist(batch.map(({ outcome }) => outcome));
      for (const { isSaved } of batch) isSaved();
    }
    isWriting = false;
  };
  return (outcome) =>
    new Promise((isSaved) => {
      waiting.push({ outcome, isSaved });
      if (!isWriting) void write();
    });
}
