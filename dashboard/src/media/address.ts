/**
 * The address at which this page may load an image. An image of the media library is on this service, whatever address others know it by;
 * over http, as on a laptop, the policy of the page allows no other host.
 */
export function ownAddress(address: string): string {
  const file = /^http:\/\/[^/]+\/media\/([\w.-]+)$/.exec(address)?.[1];
  return file ? `/media/${file}` : address;
}
