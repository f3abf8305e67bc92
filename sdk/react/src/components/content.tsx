import type { Message } from "@tidings/web";
import { useState } from "react";
import { imageAddress } from "../action.ts";
import { useFollow } from "../follow.ts";
import { useProviderContext } from "../provider.tsx";

/** Shows title, text, image and buttons of a message. Text is never read as HTML. */
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

/** Shows an image; one that can't be loaded takes no room. */
function Picture({ address }: { address: string | null }) {
  const [broken, setBroken] = useState(false);
  const src = imageAddress(address, typeof document === "undefined" ? "https://localhost" : document.baseURI);
  if (!src || broken) return null;
  return <img alt="" className="tidings-image" onError={() => setBroken(true)} src={src} />;
}

/** Shows the small cross. */
export function CloseButton({ onClose }: { onClose: () => void }) {
  const { labels } = useProviderContext();
  return (
    <button aria-label={labels.close} className="tidings-close" onClick={onClose} type="button">
      <svg aria-hidden="true" className="tidings-icon" viewBox="0 0 24 24">
        <path d="M6 6 18 18M18 6 6 18" />
      </svg>
    </button>
  );
}
