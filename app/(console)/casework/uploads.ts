import type { ActionResult, Failure } from "@/lib/errors/result";
import type { Sending } from "./send-file";

export type Upload = {
  /** Made when the file is chosen, so that a repeat adds no second one. */
  id: string;
  file: File;
  sentBytes: number;
  state: "waiting" | "sending" | "failed";
  failure: Failure | null;
};

export type UploadsDoor = {
  newId: () => string;
  refuse: (file: File) => Failure | null;
  send: (id: string, file: File, onProgress: (sentBytes: number) => void) => Sending;
  onChange: (uploads: readonly Upload[]) => void;
  onArrived: (file: File) => void;
  onFailed: (failure: Failure) => void;
};

/** One after the other. */
export function createUploads(door: UploadsDoor) {
  let uploads: readonly Upload[] = [];
  let sending: { id: string; cancel: () => void } | null = null;

  function become(next: readonly Upload[]): void {
    uploads = next;
    door.onChange(uploads);
  }
  const change = (id: string, changes: Partial<Upload>) =>
    become(uploads.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const without = (id: string) => uploads.filter((one) => one.id !== id);

  function end({ id, file }: Upload, answer: ActionResult<null>): void {
    if (answer.ok) {
      become(without(id));
      door.onArrived(file);
      return;
    }
    change(id, { state: "failed", failure: answer.error });
    door.onFailed(answer.error);
  }

  async function sendNext(): Promise<void> {
    const next = uploads.find(({ state }) => state === "waiting");
    if (sending !== null || next === undefined) return;
    const { id, file } = next;
    const { answer, cancel } = door.send(id, file, (sentBytes) => change(id, { sentBytes }));
    sending = { id, cancel };
    change(id, { state: "sending" });
    const said = await answer;
    sending = null;
    if (said !== "cancelled") end(next, said);
    await sendNext();
  }

  return {
    add(files: Iterable<File>): void {
      const chosen = Array.from(files, (file): Upload => {
        const failure = door.refuse(file);
        return { id: door.newId(), file, sentBytes: 0, state: failure === null ? "waiting" : "failed", failure };
      });
      become([...uploads, ...chosen]);
      void sendNext();
    },
    again(id: string): void {
      change(id, { state: "waiting", failure: null, sentBytes: 0 });
      void sendNext();
    },
    drop(id: string): void {
      become(without(id));
      if (sending?.id === id) sending.cancel();
    },
  };
}
