export { refreshHistory as readChainHistory } from "./history";
export { labelsOf as openedReference } from "./requests";
