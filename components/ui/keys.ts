type Pressed = { key?: string; isComposing?: boolean; keyCode?: number };

/** What Chrome and Safari say of a key that an input method took. */
const TAKEN = 229;

/**
 * The key of a `keydown`, or nothing: filling a form in by itself, a browser tells of one without a key, and the Enter that
 * ends a composition is the input method's.
 */
export function keyOf(event: Pressed & { nativeEvent?: Pressed }): string {
  const { key, isComposing, keyCode } = event.nativeEvent ?? event;
  return isComposing === true || keyCode === TAKEN ? "" : (key ?? "");
}
