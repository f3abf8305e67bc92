import type { Channel } from "@tidings/contract/activity";
import type { Ground } from "../platform/ground.ts";
import { openLink, packId, sealLink, unpackId } from "../platform/links.ts";

/** What an unsubscribe or preferences link stands for: a person, and the message that it came in. */
export interface Subject {
  workspaceId: string;
  personKey: string;
  channel: Channel;
  topicId?: string | undefined;
  /** The delivery that the link came in. */
  deliveryId?: string | undefined;
}

/** In place of them where there is no message, in previews: they lead nowhere. */
export const NO_LINKS = { unsubscribe_url: "#", preferences_url: "#" };

/** The two public addresses of a message: they carry no words that somebody could read or guess. */
export function messageLinks(ground: Ground, subject: Subject): { unsubscribe_url: string; preferences_url: string } {
  const { workspaceId, personKey, channel, topicId, deliveryId } = subject;
  const token = sealLink(ground.linkKey, "subscriptions", {
    w: packId(workspaceId),
    p: packId(personKey),
    c: channel,
    ...(topicId !== undefined && { t: packId(topicId) }),
    ...(deliveryId !== undefined && { d: packId(deliveryId) }),
  });
  const { publicUrl } = ground.config;
  return {
    unsubscribe_url: `${publicUrl}/unsubscribe/${token}`,
    preferences_url: `${publicUrl}/preferences/${token}`,
  };
}

/** What the link stands for, or undefined for a text that is no link of ours. */
export function subjectOf(ground: Ground, token: string): Subject | undefined {
  const found = openLink(ground.linkKey, "subscriptions", token) as
    | { w: string; p: string; c: Channel; t?: string; d?: string }
    | undefined;
  if (!found) return undefined;
  return {
    workspaceId: unpackId(found.w),
    personKey: unpackId(found.p),
    channel: found.c,
    topicId: found.t && unpackId(found.t),
    deliveryId: found.d && unpackId(found.d),
  };
}
