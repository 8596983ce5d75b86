import { register } from "node:module";

/** Outside Next nothing but the bundler's mark keeps the console's own code from being loaded. */
const hook = `export const resolve = (name, context, next) =>
  name === "server-only" ? { url: "data:text/javascript,", shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
