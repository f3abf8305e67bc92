import type { Ground } from "../../platform/ground.ts";
import { openLink, packId, sealLink, unpackId } from "../../platform/links.ts";
import type { EmailMessage, Job } from "../message/message.ts";
import { rewritten } from "./rewrite.ts";

declare module "../../platform/links.ts" {
  interface LinkPurposes {
    open: true;
    click: true;
  }
}

/** The message that contains a pixel or a link. */
export interface TrackedMessage {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
}

/** Our own web pages. Links to them are not tracked, so that an unsubscribe works without a redirect. */
const OWN_PAGES = ["/unsubscribe/", "/preferences/", "/t/"];

/**
 * Returns the function that adds tracking to the HTML of an email as it is handed over; undefined where nothing is tracked. The
 * stored content has no tracking, so that the log shows what the reader saw. Targets are sealed into the links, so that nobody
 * can make one that leads elsewhere.
 */
export function trackerOf(
  ground: Ground,
  job: Job,
  { tracking }: EmailMessage,
): ((html: string) => string) | undefined {
  if (!tracking?.opens && !tracking?.clicks) return undefined;
  const { publicUrl } = ground.config;
  const ids = { w: packId(job.workspaceId), p: packId(job.personKey), d: packId(job.deliveryId) };
  const pixel = tracking.opens
    ? `<img src="${publicUrl}/t/o/${sealLink(ground.linkKey, "open", ids)}.gif" width="1" height="1" alt="">`
    : undefined;
  const linkTo = (target: string): string | undefined => {
    const { href } = new URL(target);
    if (!tracking.clicks || OWN_PAGES.some((path) => href.startsWith(publicUrl + path))) return undefined;
    return `${publicUrl}/t/c/${sealLink(ground.linkKey, "click", { ...ids, u: href })}`;
  };
  return (html) => rewritten(html, linkTo, pixel);
}

interface SealedIds {
  w: string;
  p: string;
  d: string;
}

const trackedMessageOf = ({ w, p, d }: SealedIds): TrackedMessage => ({
  workspaceId: unpackId(w),
  personKey: unpackId(p),
  deliveryId: unpackId(d),
});

/** Returns the message of a pixel; undefined for a token that this service did not seal. */
export function openedIn(ground: Ground, token: string): TrackedMessage | undefined {
  const opened = openLink(ground.linkKey, "open", token) as SealedIds | undefined;
  return opened && trackedMessageOf(opened);
}

/** Returns the message of a link and the link's target; undefined for a token that this service did not seal. */
export function clickedIn(ground: Ground, token: string): (TrackedMessage & { target: string }) | undefined {
  const clicked = openLink(ground.linkKey, "click", token) as (SealedIds & { u: string }) | undefined;
  return clicked && { ...trackedMessageOf(clicked), target: clicked.u };
}
