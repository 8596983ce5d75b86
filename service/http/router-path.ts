/** The router's way of writing a path whose parameters stand in braces. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
