type Ordered<Section> = {
  /** What was seen last, while nothing is typed. */
  recent: Section[];
  actions: Section[];
  screens: Section[];
  records: Section[];
  asks: Section[];
  help: Section[];
};

/** What can be done comes before what can be read: Enter takes the first. */
export const inOrder = <Section>({ recent, actions, screens, records, asks, help }: Ordered<Section>): Section[] => [
  ...recent,
  ...actions,
  ...screens,
  ...records,
  ...asks,
  ...help,
];
