/**
 * Hosts of the push services of the browsers' makers: Google (Chrome, Edge on Android, Opera, Samsung), Mozilla, Microsoft and Apple. An
 * endpoint elsewhere was made up by somebody: each push to the person would be a call to wherever they like.
 */
const KNOWN = [
  "fcm.googleapis.com",
  "android.googleapis.com",
  "updates.push.services.mozilla.com",
  "*.push.services.mozilla.com",
  "*.notify.windows.com",
  "web.push.apple.com",
  "*.push.apple.com",
];

/** Whether a web push endpoint is one of a known push service, or of those hosts that the operator adds. */
export function isPushEndpoint(endpoint: string, added: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { hostname, port } = new URL(endpoint);
  const isOf = (name: string): boolean =>
    name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name;
  return (port === "" && KNOWN.some(isOf)) || added.some(isOf);
}
