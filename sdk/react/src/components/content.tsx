import type { Message } from "@tidings/web";
import { useState } from "react";
import { imageAddress } from "../action.ts";
import { useFollow } from "../follow.ts";
import { useAround } from "../provider.tsx";

/** Title, text, image and buttons of a message: text is text, whatever it looks like. */
export function Content({ message, titleId, bodyId }: { message: Message; titleId: string; bodyId: string }) {
  const { title, body, image_url } = message.content;
  const follow = useFollow(message);
  return (
    <>
      <Picture key={image_url} address={image_url} />
      <div className="tidings-text">
        {title && (
          <p className="tidings-title" id={titleId}>
            {title}
          </p>
        )}
        <p className="tidings-body" id={bodyId}>
          {body}
        </p>
      </div>
      {message.ctas.length > 0 && (
        <div className="tidings-actions">
          {message.ctas.map((cta) => (
            <button className="tidings-cta" key={cta.id} onClick={() => follow(cta)} type="button">
              {cta.label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** An image that can't be loaded leaves no hole. */
function Picture({ address }: { address: string | null }) {
  const [broken, setBroken] = useState(false);
  const src = imageAddress(address, typeof document === "undefined" ? "https://localhost" : document.baseURI);
  if (!src || broken) return null;
  return <img alt="" className="tidings-image" onError={() => setBroken(true)} src={src} />;
}

/** The small cross. */
export function CloseButton({ onClose }: { onClose: () => void }) {
  const { labels } = useAround();
  return (
    <button aria-label={labels.close} className="tidings-close" onClick={onClose} type="button">
      <svg aria-hidden="true" className="tidings-icon" viewBox="0 0 24 24">
        <path d="M6 6 18 18M18 6 6 18" />
      </svg>
    </button>
  );
}
