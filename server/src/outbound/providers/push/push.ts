import type { OutgoingPush } from "../protocol/provider.ts";

/** How long a push waits for a device that is off: the longest that FCM knows, four weeks. */
export const KEPT_SECONDS = 2_419_200;

/**
 * Returns the data that the application gets besides the displayed text, alike for each kind: the caller's own data, which can't
 * override ours.
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

/** APNs tokens are hexadecimal, FCM tokens never are. So neither kind declares the other's tokens dead. */
export const isApnsToken = (token: string): boolean => /^[0-9a-f]{64,}$/i.test(token);
export const isFcmToken = (token: string): boolean => token.includes(":");
