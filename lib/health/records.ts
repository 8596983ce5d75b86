export { endIncident, openIncident } from "./incidents";
