type Duplicate = { ref: string; isUnconfirmed: boolean };

/** Whether a form may be sent beside similar orders; `seen` names those that its author agreed to repeat. */
export const draftCan = {
  send: (duplicates: readonly Duplicate[], seen: readonly string[]) => {
    if (duplicates.some(({ isUnconfirmed }) => isUnconfirmed)) return "unconfirmed";
    return duplicates.some(({ ref }) => !seen.includes(ref)) ? "unseen" : null;
  },
};
