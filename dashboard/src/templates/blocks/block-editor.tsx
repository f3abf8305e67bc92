import { useMemo, useRef, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Empty } from "../../platform/states/states.tsx";
import type { Acts } from "./acts.ts";
import css from "./blocks.module.css";
import { Canvas } from "./canvas/canvas.tsx";
import { useFocusFields } from "./inspector/focus-fields.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { blockAt, blockFrom, type Email, readEmail } from "./list/block.ts";
import { looksOf } from "./list/looks.ts";
import { removed } from "./list/moves.ts";
import { changed } from "./mjml/edit.ts";
import { texts } from "./texts.ts";
import { Toolbar } from "./toolbar.tsx";
import { useHistory } from "./use-history.ts";

interface BlockEditorProps {
  /** MJML: a whole document, or what stands in a layout. */
  body: string;
  onChange: (body: string) => void;
  readOnly?: boolean;
}

/**
 * An email as blocks, for people who don't write MJML. A change writes the slice of its block and no other byte of the text; what no block can
 * show is a block of code.
 */
export function BlockEditor({ body, onChange, readOnly = false }: BlockEditorProps) {
  const t = useTexts(texts);
  const email = useMemo(() => readEmail(body), [body]);
  if (!("at" in email)) return <Editor email={email} onChange={onChange} readOnly={readOnly} />;
  return (
    <Empty icon="mail" title={t("unreadable")}>
      {t("unreadableAt", { line: body.slice(0, email.at).split("\n").length })}
    </Empty>
  );
}

function Editor({ email, onChange, readOnly }: { email: Email; onChange: (body: string) => void; readOnly: boolean }) {
  const t = useTexts(texts);
  const history = useHistory(email.source, onChange);
  const looks = useMemo(() => looksOf(email), [email]);
  const [path, setPath] = useState("");
  const canvas = useRef<HTMLDivElement>(null);
  const inspector = useRef<HTMLElement>(null);
  const chosen = blockAt(email, path);
  const read = (source: string) => {
    const next = readEmail(source);
    return "at" in next ? undefined : next;
  };
  const acts: Acts = {
    choose: setPath,
    change: (changes, group) => history.write(changed(email.source, changes), group),
    take(result) {
      const next = result && read(result.source);
      if (!next) return;
      history.write(result.source);
      setPath(blockFrom(next, result.at)?.path ?? path);
    },
    remove(of) {
      const block = blockAt(email, of);
      if (!block) return;
      const { source, path: next } = removed(email, block);
      history.write(source);
      setPath(next);
    },
  };
  const keys = (event: React.KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (readOnly || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const step = key === "y" || (key === "z" && event.shiftKey) ? history.redo : key === "z" ? history.undo : undefined;
    if (!/^[zy]$/.test(key)) return;
    event.preventDefault();
    step?.();
  };
  const toBlock = () => canvas.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  const toFields = useFocusFields(inspector);
  return (
    <div className={css.editor} onKeyDownCapture={keys}>
      {!readOnly && <Toolbar email={email} chosen={chosen} history={history} acts={acts} />}
      <div className={css.panes}>
        <div className={css.canvasPane} ref={canvas}>
          <Canvas email={email} looks={looks} chosen={chosen} acts={acts} readOnly={readOnly} onEdit={toFields} />
          <p className={css.hint}>{t("hint")}</p>
        </div>
        <Inspector
          at={inspector}
          email={email}
          looks={looks}
          chosen={chosen}
          acts={acts}
          readOnly={readOnly}
          onBack={toBlock}
        />
      </div>
    </div>
  );
}
