import { Load, measure } from "./load";

// The load generator is a process of its own, so that it takes no time from what it measures.
process.on("message", (message) => {
  void measure(Load.parse(message)).then((measured) => process.send?.(measured));
});
