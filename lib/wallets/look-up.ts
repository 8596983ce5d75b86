export { type Glanced, glanceAtHistory, refreshHistory as readChainHistory } from "./history";
export { labelsOf as openedLabels } from "./requests";
