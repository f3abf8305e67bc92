import { Skeleton } from "@mantine/core";
import { useId, useMemo } from "react";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { Canvas } from "../blocks/canvas/canvas.tsx";
import { readEmail } from "../blocks/list/block.ts";
import { looksOf } from "../blocks/list/looks.ts";
import type { Saying } from "./frame.ts";
import css from "./gallery.module.css";
import { filled } from "./sample.ts";
import { type Start, starts } from "./templates.ts";
import { galleryTexts, texts } from "./texts.ts";

/** A template to start from, in the member's language. */
export interface Chosen {
  key: string;
  name: string;
  subject: string;
  preheader: string;
  body: string;
}

interface GalleryProps {
  /** The key of the chosen one. */
  value: string | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Ten emails to start from, each with a picture of itself. */
export function Gallery({ value, onChoose }: GalleryProps) {
  const say = useTexts(galleryTexts);
  const t = useTexts(texts);
  const name = useId();
  return (["service", "marketing"] as const).map((use) => (
    <fieldset key={use} className={css.shelf}>
      <legend className={css.legend}>{say(use)}</legend>
      {starts
        .filter((start) => start.use === use)
        .map((start) => (
          <label key={start.name} className={css.card}>
            <Picture start={start} t={t} />
            <span className={css.name}>
              <input
                type="radio"
                name={name}
                checked={value === start.name}
                onChange={() => onChoose(chosenOf(start, say, t))}
              />
              {say(start.name)}
            </span>
            <span className="quiet">{say(start.hint)}</span>
          </label>
        ))}
    </fieldset>
  ));
}

const chosenOf = (start: Start, say: Say<typeof galleryTexts>, t: Saying): Chosen => ({
  key: start.name,
  name: say(start.name),
  subject: start.subject(t),
  preheader: start.preheader(t),
  body: start.body(t),
});

const nothing = () => {};
const NO_ACTS = { change: nothing, take: nothing, remove: nothing, choose: nothing };

/** The email in small, with an example in it. */
function Picture({ start, t }: { start: Start; t: Saying }) {
  const email = useMemo(() => readEmail(filled(start.body(t), start)), [start, t]);
  if ("at" in email) return <Skeleton className={css.paper ?? ""} />;
  return (
    <span className={css.paper} aria-hidden="true" inert>
      <span className={css.small}>
        <Canvas email={email} looks={looksOf(email)} chosen={undefined} acts={NO_ACTS} readOnly onEdit={nothing} />
      </span>
    </span>
  );
}
