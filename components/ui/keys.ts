type Pressed = { key?: string; isComposing?: boolean; keyCode?: number };

const TAKEN_BY_INPUT_METHOD = 229;

/** Empty where a browser fills in a form, and for the Enter that ends an input method's composition. */
export function keyOf(event: Pressed & { nativeEvent?: Pressed }): string {
  const { key, isComposing, keyCode } = event.nativeEvent ?? event;
  return isComposing === true || keyCode === TAKEN_BY_INPUT_METHOD ? "" : (key ?? "");
}
