import type { ControlRoute } from "@/service/http/route";

/** Every control route that is answered. */
export const controlRoutes: readonly ControlRoute[] = [];
