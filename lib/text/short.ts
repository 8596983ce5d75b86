/** Too short for comparison, but longer than look-alikes usually match at both ends. */
export const shortAddress = (address: string): string =>
  address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-8)}`;

export const shortHash = (hash: string): string => `${hash.slice(0, hash.startsWith("0x") ? 8 : 6)}…${hash.slice(-6)}`;

export const shortId = (id: string): string => id.slice(0, 8);
