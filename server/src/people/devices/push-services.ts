/**
 * Hosts of the browsers' push services: Google (Chrome, Edge on Android, Opera, Samsung), Mozilla, Microsoft and Apple. Somebody invented
 * an endpoint on any other host: each push to the person would be a call to an address of the inventor's choice.
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

/** Whether a web push endpoint is of a known push service or of a host that the operator added. */
export function isPushEndpoint(endpoint: string, added: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { hostname, port } = new URL(endpoint);
  const isOf = (name: string): boolean =>
    name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name;
  return (port === "" && KNOWN.some(isOf)) || added.some(isOf);
}
