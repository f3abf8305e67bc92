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

/** The message that a pixel or a link stands in. */
export interface TrackedMessage {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
}

/** Ours that must work without a detour: who unsubscribes is not sent around. */
const OWN = ["/unsubscribe/", "/preferences/", "/t/"];

/**
 * Gives what is done to the HTML of an email as it is handed over, where something is tracked. What is kept has no trace of
 * it, so that the log shows what the reader saw. Targets are sealed into the links: nobody can make one that leads elsewhere.
 */
export function trackerOf(
  ground: Ground,
  job: Job,
  { tracking }: EmailMessage,
): ((html: string) => string) | undefined {
  if (!tracking?.opens && !tracking?.clicks) return undefined;
  const { publicUrl } = ground.config;
  const place = { w: packId(job.workspaceId), p: packId(job.personKey), d: packId(job.deliveryId) };
  const pixel = tracking.opens
    ? `<img src="${publicUrl}/t/o/${sealLink(ground.linkKey, "open", place)}.gif" width="1" height="1" alt="">`
    : undefined;
  const linkTo = (target: string): string | undefined => {
    const { href } = new URL(target);
    if (!tracking.clicks || OWN.some((path) => href.startsWith(publicUrl + path))) return undefined;
    return `${publicUrl}/t/c/${sealLink(ground.linkKey, "click", { ...place, u: href })}`;
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

/** The message of a pixel, or undefined for a text that is none of ours. */
export function openedIn(ground: Ground, token: string): TrackedMessage | undefined {
  const found = openLink(ground.linkKey, "open", token) as SealedIds | undefined;
  return found && trackedMessageOf(found);
}

/** The message of a link and where it leads. */
export function clickedIn(ground: Ground, token: string): (TrackedMessage & { target: string }) | undefined {
  const found = openLink(ground.linkKey, "click", token) as (SealedIds & { u: string }) | undefined;
  return found && { ...trackedMessageOf(found), target: found.u };
}
