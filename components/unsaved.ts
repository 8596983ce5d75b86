/** Which forms of this tab hold something that leaving the page would lose. */
export type Unsaved = {
  hold: (form: string, isWritten: boolean) => void;
  hasUnsaved: () => boolean;
  /** Hears when nothing unsaved is left, until the returned function is called. */
  followNoneLeft: (hear: () => void) => () => void;
};

export function createUnsaved(): Unsaved {
  const written = new Set<string>();
  const followers = new Set<() => void>();
  return {
    hold: (form, isWritten) => {
      if (isWritten) written.add(form);
      else if (written.delete(form) && written.size === 0) for (const hear of followers) hear();
    },
    hasUnsaved: () => written.size > 0,
    followNoneLeft: (hear) => {
      followers.add(hear);
      return () => void followers.delete(hear);
    },
  };
}
