import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { More } from "../platform/list/more.tsx";
import { Copy } from "../platform/states/copy.tsx";
import css from "./media.module.css";
import { texts } from "./texts.ts";
import type { Image } from "./uploads.ts";
import { weightOf } from "./weight.ts";

/** Thumbnails, and a button for the next ones. */
export function Grid({ list }: { list: ReturnType<typeof useList<Image>> }) {
  const t = useTexts(texts);
  return (
    <>
      <ul className={css.grid} aria-label={t("images")}>
        {list.rows.map((image) => (
          <li key={image.id} className={css.tile}>
            <Tile image={image} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function Tile({ image }: { image: Image }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { id, name, alt, width, height, bytes, frames, url } = image;
  return (
    <>
      <Link
        from="/w/$workspace/media"
        to="/w/$workspace/media"
        params={{ workspace }}
        search={(before) => ({ ...before, open: id })}
        className={css.open ?? ""}
      >
        <span className={css.thumbnail}>
          <Picture file={image.thumbnail_file} alt="" />
          {frames > 1 && <span className={css.frames}>{t("animated", { n: frames })}</span>}
        </span>
        <span className={`${css.name} cut`}>{name}</span>
      </Link>
      <span className={css.foot}>
        <span className="quiet cut">
          {width} × {height} · {weightOf(bytes, format)}
          {alt === null && ` · ${t("noAlt")}`}
        </span>
        <Copy value={url} what={`${t("address")}, ${name}`} />
      </span>
    </>
  );
}

/** A picture from this service itself: the address of `url` may be another host, which the policy of this page does not allow over http. */
export function Picture({ file, alt }: { file: string; alt: string }) {
  const t = useTexts(texts);
  const [broken, setBroken] = useState(false);
  if (broken) return <span className="quiet">{t("broken")}</span>;
  return <img src={`/media/${file}`} alt={alt} loading="lazy" decoding="async" onError={() => setBroken(true)} />;
}
