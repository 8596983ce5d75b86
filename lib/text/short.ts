/** Never enough to compare by. */
export const shortAddress = (address: string): string =>
  address.length <= 20 ? address : `${address.slice(0, 8)}…${address.slice(-6)}`;

export const shortId = (id: string): string => id.slice(0, 8);
