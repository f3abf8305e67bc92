import type { CSSProperties, FocusEvent, ReactNode } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Block } from "../list/block.ts";
import { excerptOf, wordsOf } from "../list/excerpt.ts";
import type { Look } from "../list/looks.ts";
import { sliceOf } from "../mjml/tree.ts";
import { texts } from "../texts.ts";
import css from "./canvas.module.css";
import { Leaf } from "./leaf.tsx";
import { colorOf, lengthOf, lengthsOf, paddingStyle } from "./style.ts";

interface DrawnProps {
  block: Block;
  source: string;
  looks: Look;
  /** The path of the chosen block. */
  chosen: string | undefined;
  /** The path of the first block: Tab goes there while none is chosen. */
  first: string | undefined;
  onChoose: (path: string) => void;
}

/** A block with those in it. */
export function Drawn(props: DrawnProps) {
  const t = useTexts(texts);
  const { block, source, looks, chosen, first, onChoose } = props;
  const { kind, path, element, children, holds } = block;
  const read = (name: string) => element && looks(element, name);
  const words = wordsOf(source, block);
  const excerpt = excerptOf(words);
  const name = t(kind);
  // A press of the mouse gives the focus, too, to the innermost.
  const choose = ({ target, currentTarget }: FocusEvent) => {
    if (target === currentTarget && path !== chosen) onChoose(path);
  };
  return (
    <div
      role="treeitem"
      // The whole text of a leaf: speech input finds a block by any words that are seen in it.
      aria-label={words ? `${name}: ${words}` : name}
      aria-selected={path === chosen}
      {...(children.length > 0 && { "aria-expanded": true })}
      tabIndex={path === (chosen ?? first) ? 0 : -1}
      data-path={path}
      data-kind={kind}
      data-name={excerpt && block.tags ? excerpt : name}
      className={css.block}
      style={outerStyle(kind, read)}
      onFocus={choose}
    >
      {holds ? (
        <Inside kind={kind} holds={holds} read={read}>
          {children.map((child) => (
            <Drawn key={child.path} {...props} block={child} />
          ))}
        </Inside>
      ) : (
        <Leaf kind={kind} text={sliceOf(source, block)} source={source} element={element} read={read} />
      )}
    </div>
  );
}

type Read = (name: string) => string | undefined;

const outerStyle = (kind: Block["kind"], read: Read): CSSProperties =>
  kind === "column" || kind === "group" ? { flexBasis: widthOf(read), flexGrow: read("width") ? 0 : 1 } : {};

const widthOf = (read: Read): string => lengthOf(read("width")) ?? "0%";

const ALIGN: Record<string, string> = { top: "flex-start", middle: "center", bottom: "flex-end" };

interface InsideProps {
  kind: Block["kind"];
  holds: NonNullable<Block["holds"]>;
  read: Read;
  children: ReactNode[];
}

function Inside({ kind, holds, read, children }: InsideProps) {
  const t = useTexts(texts);
  const style: CSSProperties = {
    ...paddingStyle(read),
    backgroundColor: colorOf(read("background-color")),
    borderRadius: lengthsOf(read("border-radius")),
    ...(kind === "column" && { justifyContent: ALIGN[read("vertical-align") ?? "top"] }),
  };
  const border = /^(\d+px) (solid|dashed|dotted) (\S+)$/.exec(read("border") ?? "");
  if (border) style.border = `${border[1]} ${border[2]} ${colorOf(border[3]) ?? "currentColor"}`;
  const direction = holds === "columns" ? (kind === "group" ? css.side : css.columns) : css.stack;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a tree, not of fields
    <div role="group" className={direction} style={style}>
      {children.length > 0 ? children : <span className={css.emptyPlace}>{t("emptyColumn")}</span>}
    </div>
  );
}
