import { useEffect, useId, useRef } from "react";
import css from "./html-frame.module.css";

interface HtmlFrameProps {
  html: string;
  /** Said to a screen reader. */
  title: string;
  width?: number | undefined;
  height?: number;
  /** Whether the HTML is asked for its dark colours. HTML without such stays on white. */
  dark?: boolean;
}

/** Somebody may have stopped a document: after this time the next one does not wait for its end. */
const PATIENCE_MS = 10_000;

/**
 * Shows HTML that others wrote, in a frame in which nothing runs. It is posted to the service, which sends it back under a policy of its own:
 * a frame from `srcdoc` would have the policy of this page, which refuses the styles of an email. One document is posted after the
 * other: a second one while the first arrives makes Chromium give up both at times, and the frame stays empty.
 */
export function HtmlFrame({ html, title, width, height = 480, dark = false }: HtmlFrameProps) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const posted = useRef<{ html: string; at: number; arrived: boolean }>(undefined);
  const post = () => {
    const last = posted.current;
    const isUnderWay = last && !last.arrived && performance.now() - last.at < PATIENCE_MS;
    if (!form.current || last?.html === html || isUnderWay) return;
    posted.current = { html, at: performance.now(), arrived: false };
    form.current.submit();
  };
  useEffect(post, [html]);
  const arrived = () => {
    if (posted.current) posted.current.arrived = true;
    post();
  };
  return (
    <div className={css.sheet} style={{ height, ...(width && { maxWidth: width }) }}>
      <form ref={form} action="/frame" method="post" encType="text/plain" target={name} hidden>
        <textarea name="html" value={html} readOnly />
      </form>
      <iframe name={name} title={title} sandbox="" className={css.frame} data-dark={dark} onLoad={arrived} />
    </div>
  );
}
