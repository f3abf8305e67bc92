import type { Result } from "./list/moves.ts";
import type { Change } from "./mjml/edit.ts";

/** What the parts of the editor do to the email. */
export interface Acts {
  /** Changes slices. Changes of one group that follow each other are one step back. */
  change(changes: readonly Change[], group?: string): void;
  /** Takes the text that a move makes, and chooses the block that it moved. */
  take(result: Result | undefined): void;
  remove(path: string): void;
  choose(path: string): void;
}
