/** Nothing runs here at start; without this file the build takes the console's own. */
export const register = (): void => undefined;
