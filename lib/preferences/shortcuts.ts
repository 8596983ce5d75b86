/** Whether shortcuts of one key work; they do unless the person switched them off. */
export function readShortcuts(value: string | undefined): boolean {
  return value !== "off";
}
