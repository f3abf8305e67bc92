import type { OutgoingPush } from "../protocol/provider.ts";

/** How long a push waits for a device that is off: the longest that FCM knows, four weeks. */
export const KEPT_SECONDS = 2_419_200;

/**
 * What the application is told besides what is displayed, the same in each kind: the caller's own data, which can't hide
 * ours.
 */
export const dataOf = (
  { custom_data, link, image_url }: OutgoingPush,
  deliveryId: string,
): Record<string, unknown> => ({
  ...custom_data,
  ...(link !== undefined && { link }),
  ...(image_url !== undefined && { image_url }),
  delivery_id: deliveryId,
});

/** Tokens of APNs are hexadecimal and those of FCM never: the one kind must not call the other's tokens dead. */
export const isApnsToken = (token: string): boolean => /^[0-9a-f]{64,}$/i.test(token);
export const isFcmToken = (token: string): boolean => token.includes(":");
