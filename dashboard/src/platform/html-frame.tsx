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

/**
 * Shows HTML that others wrote, in a frame in which nothing runs. It is posted to the service, which sends it back under a policy of its own:
 * a frame from `srcdoc` would have the policy of this page, which refuses the styles of an email.
 */
export function HtmlFrame({ html, title, width, height = 480, dark = false }: HtmlFrameProps) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is posted again
  useEffect(() => form.current?.submit(), [html]);
  return (
    <div className={css.sheet} style={{ height, ...(width && { maxWidth: width }) }}>
      <form ref={form} action="/frame" method="post" encType="text/plain" target={name} hidden>
        <textarea name="html" value={html} readOnly />
      </form>
      <iframe name={name} title={title} sandbox="" className={css.frame} data-dark={dark} />
    </div>
  );
}
