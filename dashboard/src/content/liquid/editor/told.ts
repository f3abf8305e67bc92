/**
 * Tells the texts that a page sets in an editor from those that it only gives back: what was typed comes back through the page a moment later, and
 * somebody who types fast has written more by then. Taking an older text as a new one would undo a key and move the cursor.
 */
export function texts() {
  let told: string[] = [];
  return {
    /** The editor tells the page what somebody wrote. */
    tell(text: string): void {
      told.push(text);
    },
    /** Returns whether the page sets this text, where the editor has `now`. */
    isSet(text: string, now: string): boolean {
      if (text === now) told = [];
      const is = text !== now && !told.includes(text);
      if (is) told = [];
      return is;
    },
  };
}
