import type { KeyboardEvent } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Acts } from "../acts.ts";
import { allBlocks, type Block, type Email, parentOf } from "../list/block.ts";
import type { Look } from "../list/looks.ts";
import { moved } from "../list/moves.ts";
import { texts } from "../texts.ts";
import { Drawn } from "./block.tsx";
import css from "./canvas.module.css";
import { colorOf } from "./style.ts";

interface CanvasProps {
  email: Email;
  looks: Look;
  chosen: Block | undefined;
  acts: Acts;
  readOnly: boolean;
  /** Goes to the fields of the chosen block. */
  onEdit: () => void;
}

/** The email as it will look, as a tree of blocks that arrow keys go through. */
export function Canvas({ email, looks, chosen, acts, readOnly, onEdit }: CanvasProps) {
  const t = useTexts(texts);
  const all = [...allBlocks(email.blocks)];
  const { body } = email;
  const toPath = (tree: Element, path: string) => {
    acts.choose(path);
    // At once, because the next key goes on from where the focus is: in a frame a fast typist presses two.
    tree.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus();
  };
  const moveBy = (tree: Element, block: Block, by: -1 | 1) => {
    const result = moved(email, block, by);
    if (!result) return;
    acts.take(result);
    // After it is drawn where it is now.
    requestAnimationFrame(() => tree.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const tree = event.currentTarget;
    const focused = document.activeElement?.getAttribute("data-path");
    const at = all.findIndex(({ path }) => path === focused);
    const block = all[at];
    if (!block || event.ctrlKey || event.metaKey) return;
    const next = targetOf(event.key, all, at, email);
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (event.altKey) {
      if (!by || readOnly) return;
      moveBy(tree, block, by);
    } else if (next) toPath(tree, next.path);
    else if (event.key === "Enter") onEdit();
    else if (/^(?:Delete|Backspace)$/.test(event.key) && !readOnly) {
      acts.remove(block.path);
      requestAnimationFrame(() => tree.querySelector<HTMLElement>("[tabindex='0']")?.focus());
    } else return;
    event.preventDefault();
  };
  const background = body && colorOf(looks(body, "background-color"));
  const width = body && looks(body, "width");
  return (
    <div className={css.canvas} style={{ ...(background && { background }) }}>
      {all.length === 0 && <p className={css.nothing}>{t("empty")}</p>}
      <div
        role="tree"
        aria-label={t("blocks")}
        className={css.mail}
        style={{ maxWidth: /^\d+px$/.test(width ?? "") ? width : "600px" }}
        onKeyDown={onKeyDown}
      >
        {email.blocks.map((block) => (
          <Drawn
            key={block.path}
            block={block}
            source={email.source}
            looks={looks}
            chosen={chosen?.path}
            first={all[0]?.path}
            onChoose={(path) => acts.choose(path)}
          />
        ))}
      </div>
    </div>
  );
}

/** The block that an arrow key goes to. */
function targetOf(key: string, all: Block[], at: number, email: Email): Block | undefined {
  const block = all[at] as Block;
  if (key === "ArrowUp") return all[at - 1];
  if (key === "ArrowDown") return all[at + 1];
  if (key === "ArrowLeft") return parentOf(email, block);
  if (key === "ArrowRight") return block.children[0];
  if (key === "Home") return all[0];
  return key === "End" ? all.at(-1) : undefined;
}
