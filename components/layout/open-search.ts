import { createContext, use } from "react";

/** Opens the search of all records, with text typed elsewhere. */
export const OpenSearch = createContext<(typed?: string) => void>(() => undefined);

export const useSearch = () => use(OpenSearch);
