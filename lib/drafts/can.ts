type Duplicate = { ref: string; isUnconfirmed: boolean };

/** What may become of a form beside what is like it; `seen` names what its person agreed to repeat. */
export const draftCan = {
  send: (duplicates: readonly Duplicate[], seen: readonly string[]) => {
    if (duplicates.some(({ isUnconfirmed }) => isUnconfirmed)) return "unconfirmed";
    return duplicates.some(({ ref }) => !seen.includes(ref)) ? "unseen" : null;
  },
};
