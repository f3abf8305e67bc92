import type { RenderType } from "@tidings/contract/inapp/definition";
import { Radio } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { renderTypes, renderTypeTexts } from "../message.ts";
import css from "./editor.module.css";
import { texts as own } from "./texts.ts";

const texts = { ...own, ...renderTypeTexts };

interface KindFieldProps {
  value: RenderType;
  onChange: (kind: RenderType) => void;
  error: string | undefined;
}

/** How an application shows the message: a picture of each kind, with words. */
export function KindField({ value, onChange, error }: KindFieldProps) {
  const t = useTexts(texts);
  return (
    <Radio.Group
      label={t("kind")}
      name="render_type"
      value={value}
      error={error}
      onChange={(to) => onChange(renderTypes.find((kind) => kind === to) ?? "modal")}
    >
      <div className={css.kinds}>
        {renderTypes.map((kind) => (
          <Radio.Card key={kind} value={kind} className={css.kind ?? ""}>
            <Picture kind={kind} />
            <span className={css.kindName}>{t(kind)}</span>
            <span className="quiet">{t(`${kind}Hint`)}</span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

const MESSAGES: Record<RenderType, readonly [x: number, y: number, width: number, height: number]> = {
  modal: [12, 16, 40, 30],
  banner: [6, 6, 52, 12],
  inline: [10, 28, 44, 16],
  inbox_card: [10, 14, 44, 11],
};

/** A small screen with the message at its place. */
function Picture({ kind }: { kind: RenderType }) {
  const [x, y, width, height] = MESSAGES[kind];
  const lines = kind === "inbox_card" ? [31, 46] : [12, 20, 50];
  return (
    <svg className={css.picture} viewBox="0 0 64 62" aria-hidden="true">
      <rect x="2" y="2" width="60" height="58" rx="6" className={css.screen} />
      {kind === "modal" && <rect x="2" y="2" width="60" height="58" rx="6" className={css.shade} />}
      {kind === "inbox_card"
        ? lines.map((at) => <rect key={at} x="10" y={at} width="44" height="11" rx="2.5" className={css.line} />)
        : lines.map((at) => <rect key={at} x="10" y={at} width="44" height="4" rx="2" className={css.line} />)}
      <rect x={x} y={y} width={width} height={height} rx="3" className={css.shown} />
    </svg>
  );
}
