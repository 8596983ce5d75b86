export const NETWORKS_MAX = 200;
