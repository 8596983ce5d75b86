/** Never enough to compare by, though more of both ends than a look-alike is likely to have. */
export const shortAddress = (address: string): string =>
  address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-8)}`;

export const shortId = (id: string): string => id.slice(0, 8);
