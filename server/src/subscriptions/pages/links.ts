import type { Channel } from "@tidings/contract/facts/activity";
import type { Ground } from "../../platform/ground.ts";
import { openLink, packId, sealLink, unpackId } from "../../platform/links.ts";

declare module "../../platform/links.ts" {
  interface LinkPurposes {
    subscriptions: true;
  }
}

/** The subject of an unsubscribe or preferences link: a person, and the message that contains the link. */
export interface Subject {
  workspaceId: string;
  personKey: string;
  channel: Channel;
  topicId?: string | undefined;
  /** The delivery that contains the link. */
  deliveryId?: string | undefined;
}

/** The links of a preview, which has no message: they lead nowhere. */
export const NO_LINKS = { unsubscribe_url: "#", preferences_url: "#" };

/** The two public addresses of a message. */
type MessageLinks = Readonly<typeof NO_LINKS>;

/**
 * The two public addresses of a message: nobody can read or guess their contents. They are sealed when they are first read: most
 * content uses neither, and the seal costs as much as all the rest of a short message.
 */
export function messageLinks(ground: Ground, subject: Subject): MessageLinks {
  const { publicUrl } = ground.config;
  let sealed: string | undefined;
  const token = () => (sealed ??= tokenOf(ground, subject));
  return {
    get unsubscribe_url() {
      return `${publicUrl}/unsubscribe/${token()}`;
    },
    get preferences_url() {
      return `${publicUrl}/preferences/${token()}`;
    },
  };
}

const tokenOf = (ground: Ground, { workspaceId, personKey, channel, topicId, deliveryId }: Subject): string =>
  sealLink(ground.linkKey, "subscriptions", {
    w: packId(workspaceId),
    p: packId(personKey),
    c: channel,
    ...(topicId !== undefined && { t: packId(topicId) }),
    ...(deliveryId !== undefined && { d: packId(deliveryId) }),
  });

/** The subject of a link; undefined for a text that is no link of ours. */
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
