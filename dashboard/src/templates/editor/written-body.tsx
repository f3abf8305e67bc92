import { SegmentedControl } from "@mantine/core";
import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Loading } from "../../platform/states/states.tsx";
import { BodyField } from "./body-field.tsx";
import css from "./editor.module.css";
import { texts } from "./texts.ts";

const BlockEditor = lazy(() => import("../blocks/block-editor.tsx").then(({ BlockEditor: one }) => ({ default: one })));

const KEPT = "tidings.writing";
type Mode = "code" | "blocks";

/** The body of a template as code or as blocks. Both write the same text; the way that a member chose is kept for the next template. */
export function WrittenBody(props: ComponentProps<typeof BodyField>) {
  const t = useTexts(texts);
  const { format, jump, value, onChange, readOnly } = props;
  const [chosen, setChosen] = useState<Mode>(localStorage.getItem(KEPT) === "blocks" ? "blocks" : "code");
  const isMjml = format === "mjml";
  const mode = isMjml ? chosen : "code";
  const choose = (next: string) => {
    localStorage.setItem(KEPT, next);
    setChosen(next as Mode);
  };
  // A link from an advice or an error leads to a line, which only the code view has.
  useEffect(() => {
    if (jump?.part === "body") setChosen("code");
  }, [jump]);
  return (
    <>
      <div className={css.way}>
        <SegmentedControl
          size="xs"
          aria-label={t("mode")}
          value={mode}
          onChange={choose}
          data={[
            { value: "code", label: t("code") },
            { value: "blocks", label: t("blocks"), disabled: !isMjml },
          ]}
        />
        {!isMjml && <span className="quiet">{t("noBlocks")}</span>}
      </div>
      {mode === "code" ? (
        <BodyField {...props} />
      ) : (
        <div data-blocks>
          <Suspense fallback={<Loading rows={8} height={40} />}>
            <BlockEditor body={value} onChange={onChange} readOnly={readOnly} />
          </Suspense>
        </div>
      )}
    </>
  );
}
