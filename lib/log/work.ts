import { AsyncLocalStorage } from "node:async_hooks";

/** `name`: the permission of a write, or the watch. `hasSent`: something may have left for the provider. */
type Work = { name: string; hasSent: boolean };

declare global {
  var retaguardaWork: AsyncLocalStorage<Work> | undefined;
}

/** One per process, though Next loads modules several times. */
const works = () => (globalThis.retaguardaWork ??= new AsyncLocalStorage());

export const asWork = <T>(name: string, work: () => T): T => works().run({ name, hasSent: false }, work);

export const nameOfWork = (): string | undefined => works().getStore()?.name;

export function noteSent(): void {
  const work = works().getStore();
  if (work !== undefined) work.hasSent = true;
}

export const hasSent = (): boolean => works().getStore()?.hasSent ?? false;
