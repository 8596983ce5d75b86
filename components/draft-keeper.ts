import { type Draft, type DraftAnswer, type DraftFields, type DraftOrder, withoutSecrets } from "@/lib/draft";
import type { ActionResult } from "@/lib/result";

export type DraftState =
  | "empty"
  | "saved"
  /** Something was typed that is not saved yet. */
  | "unsaved"
  /** Saving was refused or not answered; it is tried again. */
  | "failed"
  /** Another tab saved since: a person says which holds. */
  | "other"
  /** Another tab sent or discarded it: a person says whether to go on with what is typed here. */
  | "gone";

export type KeptDraft = {
  draftId: string;
  /** As typed here, secrets and all. */
  values: DraftFields;
  state: DraftState;
  /** ISO, of what is saved. */
  savedAt: string | null;
};

/** What is not deterministic about it. */
export type DraftDoor = {
  send: (order: DraftOrder) => Promise<ActionResult<DraftAnswer>>;
  /** Calls `run` once, after `ms` milliseconds, unless the returned function is called before. */
  after: (ms: number, run: () => void) => () => void;
};

const SAVES_AFTER_MS = 1_200;
const TRIES_AGAIN_AFTER_MS = [5_000, 15_000] as const;
const TRIES_LATER_AFTER_MS = 60_000;

const nothing = () => {};
const stateOf = ({ fields }: Draft) => (fields === null ? "empty" : "saved");

/** Keeps what is typed into a form with its draft on the server, a moment after the last key. */
export class DraftKeeper {
  readonly #door: DraftDoor;
  readonly #followers = new Set<() => void>();
  #kept: KeptDraft;
  #version: number;
  /** As another tab left it. */
  #other: Draft | null = null;
  #failures = 0;
  #isSaving = false;
  #hasEnded = false;
  #stopTimer = nothing;

  constructor(opened: Draft, door: DraftDoor) {
    const { draftId, version, fields, savedAt } = opened;
    this.#door = door;
    this.#version = version;
    this.#kept = { draftId, values: fields ?? {}, state: stateOf(opened), savedAt };
  }

  readonly now = (): KeptDraft => this.#kept;

  /** Hears when `now` changes, until the returned function is called. */
  readonly follow = (hear: () => void): (() => void) => {
    this.#followers.add(hear);
    return () => void this.#followers.delete(hear);
  };

  readonly set = (changed: DraftFields): void => {
    const { values } = this.#kept;
    // Leaving a field says what stands there once more.
    const isNew = Object.entries(changed).some(([name, typed]) => typed !== (values[name] ?? ""));
    if (isNew) this.#write({ ...values, ...changed });
  };

  /** Takes fields away that the form has no more, and gives others what was typed into them. */
  readonly replace = (values: DraftFields): void => this.#write(values);

  /** Saves at once what is not saved yet. */
  readonly flush = (): void => void this.#save();

  /** Takes what the other tab has, instead of what is typed here. */
  readonly takeOther = (): void => {
    if (this.#other !== null) this.#take(this.#other);
  };

  /** Goes on with what is typed here. */
  readonly keepOwn = (): void => {
    if (this.#other === null) return;
    this.#adopt(this.#other);
    this.#show({ state: "unsaved" });
    void this.#save();
  };

  /** Begins anew, with nothing typed; false when the draft could not be discarded. */
  readonly discard = async (): Promise<boolean> => {
    this.#stopTimer();
    const discarded = await this.#door.send({ do: "discard", draftId: this.#kept.draftId });
    if (discarded.ok) this.#take(discarded.data.draft);
    else this.#meetFailure();
    return discarded.ok;
  };

  /** It was sent: nothing more is saved. */
  readonly end = (): void => {
    this.#hasEnded = true;
    this.#stopTimer();
    this.#show({ state: "saved" });
  };

  #show(change: Partial<KeptDraft>): void {
    this.#kept = { ...this.#kept, ...change };
    for (const hear of this.#followers) hear();
  }

  #adopt({ draftId, version, savedAt }: Draft): void {
    this.#version = version;
    this.#other = null;
    this.#show({ draftId, savedAt });
  }

  #take(draft: Draft): void {
    this.#adopt(draft);
    this.#show({ values: draft.fields ?? {}, state: stateOf(draft) });
  }

  #saveIn(ms: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#door.after(ms, () => void this.#save());
  }

  #write(values: DraftFields): void {
    const { state } = this.#kept;
    if (this.#hasEnded || state === "other" || state === "gone") return this.#show({ values });
    this.#show({ values, state: "unsaved" });
    this.#saveIn(SAVES_AFTER_MS);
  }

  async #save(): Promise<void> {
    const { values, draftId, state } = this.#kept;
    if (this.#isSaving || this.#hasEnded || (state !== "unsaved" && state !== "failed")) return;
    this.#stopTimer();
    this.#isSaving = true;
    const order = { do: "save", draftId, version: this.#version, fields: withoutSecrets(values) } as const;
    const saved = await this.#door.send(order);
    this.#isSaving = false;
    if (this.#hasEnded || this.#kept.draftId !== draftId) return;
    if (saved.ok) this.#meetAnswer(saved.data, values);
    else if (saved.error.kind === "not-found") await this.#meetGone();
    else this.#meetFailure();
  }

  #meetAnswer({ draft, isOther }: DraftAnswer, sent: DraftFields): void {
    this.#failures = 0;
    if (isOther) {
      this.#other = draft;
      return this.#show({ state: "other" });
    }
    this.#adopt(draft);
    if (this.#kept.values === sent) this.#show({ state: "saved" });
    else this.#saveIn(SAVES_AFTER_MS);
  }

  async #meetGone(): Promise<void> {
    const read = await this.#door.send({ do: "read" });
    if (!read.ok) return this.#meetFailure();
    this.#other = read.data.draft;
    this.#show({ state: "gone" });
  }

  #meetFailure(): void {
    const ms = TRIES_AGAIN_AFTER_MS[this.#failures] ?? TRIES_LATER_AFTER_MS;
    this.#failures += 1;
    this.#saveIn(ms);
    this.#show({ state: "failed" });
  }
}
