/** Networks in one list, at most. */
export const NETWORKS_MAX = 200;
