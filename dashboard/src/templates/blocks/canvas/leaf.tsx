import type { CSSProperties } from "react";
import { Icon } from "../../../platform/look/icons.tsx";
import { type Kind, wordsOf } from "../list/block.ts";
import { decoded } from "../mjml/entities.ts";
import { attributeOf, type Element } from "../mjml/tree.ts";
import { richOf } from "../text/rich.ts";
import css from "./canvas.module.css";
import { colorOf, lengthOf, lengthsOf, paddingStyle, styleOf, wordsStyle } from "./style.ts";
import { Words } from "./words.tsx";

interface LeafProps {
  kind: Kind;
  /** The slice of the block. */
  text: string;
  source: string;
  element: Element | undefined;
  read: (name: string) => string | undefined;
}

/** A block without others in it, as it will look. */
export function Leaf({ kind, text, source, element, read }: LeafProps) {
  if (!element) return <CodeLine text={text} />;
  const around: CSSProperties = {
    ...paddingStyle(read),
    backgroundColor: colorOf(read("container-background-color")),
  };
  if (kind === "text" || kind === "heading") {
    const words = wordsOf(element);
    const doc = richOf(source, words);
    if (!doc) return <CodeLine text={text} />;
    const own = words === element ? {} : styleOf(attributeOf(words, "style")?.raw);
    return (
      <div style={{ ...around, ...wordsStyle(read) }}>
        <div className={words === element ? css.words : css.headingWords} style={own}>
          <Words doc={doc} />
        </div>
      </div>
    );
  }
  if (kind === "button") return <ButtonDrawn around={around} source={source} element={element} read={read} />;
  if (kind === "image") return <ImageDrawn around={around} read={read} />;
  if (kind === "spacer") return <div style={{ height: lengthOf(read("height")) }} />;
  const line = { color: colorOf(read("border-color")), width: lengthOf(read("border-width")) };
  const length = lengthOf(read("width"));
  return (
    <div style={around}>
      <div style={{ borderTop: `${line.width ?? "1px"} solid ${line.color ?? "currentColor"}`, width: length }} />
    </div>
  );
}

type Drawing = Pick<LeafProps, "read"> & { around: CSSProperties };

function ButtonDrawn({ around, source, element, read }: Drawing & { source: string; element: Element }) {
  const doc = richOf(source, element);
  const { textAlign, ...words } = wordsStyle(read);
  const full = read("width") === "100%";
  return (
    <div style={{ ...around, textAlign }}>
      <span
        className={css.button}
        style={{
          ...words,
          backgroundColor: colorOf(read("background-color")),
          borderRadius: lengthsOf(read("border-radius")),
          padding: lengthsOf(read("inner-padding")),
          ...(full && { display: "block", textAlign: "center" }),
        }}
      >
        {doc && <Words doc={doc} />}
      </span>
    </div>
  );
}

function ImageDrawn({ around, read }: Drawing) {
  const [src = "", alt = ""] = [read("src"), read("alt")];
  const { textAlign } = wordsStyle(read);
  const shown = /^https:\/\/[^{}]+$/.test(src) || src.startsWith(`${location.origin}/`);
  return (
    <div style={{ ...around, textAlign }}>
      {shown ? (
        <img
          className={css.image}
          src={decoded(src)}
          alt={alt}
          referrerPolicy="no-referrer"
          style={{ width: lengthOf(read("width")), borderRadius: lengthsOf(read("border-radius")) }}
        />
      ) : (
        <span className={css.noImage}>
          <Icon name="image" size={20} /> {alt || src}
        </span>
      )}
    </div>
  );
}

/** As much of the code as one sees what it is. */
const SHOWN = 400;

const CodeLine = ({ text }: { text: string }) => (
  <code className={css.code}>{text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}</code>
);
