import { readFileSync } from "node:fs";
import { deliveryId, emailOf, personId } from "./ids.ts";

/** The kind of requests that the generator sends. It is plain data, because it travels to the generator's process. */
export type RequestsOf =
  | { kind: "sync"; key: string; people: number; from?: number }
  | { kind: "bare-sync"; keys: string[] }
  | { kind: "trigger"; path: string; key: string; people: number; name?: string; to?: string }
  | { kind: "impression"; key: string; people: number; each: number }
  | { kind: "interaction"; key: string; type: "impression" | "click" | "dismiss"; file: string }
  | { kind: "batch"; key: string; people: number; events: number; eventIds?: boolean };

/** Returns a function that builds the next whole request, ready for the socket. It is ASCII only, because it is written as latin1. */
export function makeRequests(of: RequestsOf, seed: number): () => string {
  const below = random(seed);
  switch (of.kind) {
    case "sync": {
      const head = "GET /data-gateway/v1/in-app/messages/sync?limit=3&screen=home&person_id=";
      const tail = ` HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${of.key}\r\n\r\n`;
      const { people, from = 0 } = of;
      return () => head + personId(from + below(people)) + tail;
    }
    case "bare-sync": {
      // The floor gets the person key ready: it does nothing but its query.
      const { keys } = of;
      const tail = " HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
      return () => `GET /sync?person_key=${keys[below(keys.length)]}${tail}`;
    }
    case "trigger": {
      const { name = "order_confirmation" } = of;
      const to = of.to === undefined ? "" : `"to":"${of.to}",`;
      return () =>
        post(
          of.path,
          of.key,
          `{"transactional_message_id":"${name}",${to}"identifiers":{"email":"${emailOf(below(of.people))}"},` +
            `"message_data":{"order":"A-${below(1e6)}","total":"${below(1e4)}.00","item":"Blue mug number ${below(1e3)}"}}`,
        );
    }
    case "impression":
      return () => {
        const person = below(of.people);
        const delivery = deliveryId(below(of.each) * of.people + person);
        return post(
          `/data-gateway/v1/in-app/messages/${delivery}/impression`,
          of.key,
          `{"person_id":"${personId(person)}","screen":"home","platform":"ios","app_version":"4.2.0"}`,
        );
      };
    case "interaction": {
      // Its lines are "person-7 dlv_...", each for one request.
      const lines = readFileSync(of.file, "latin1").trimEnd().split("\n");
      let i = 0;
      return () => {
        const [person = "", delivery = ""] = (lines[i++ % lines.length] ?? "").split(" ");
        return post(
          `/data-gateway/v1/in-app/messages/${delivery}/${of.type}`,
          of.key,
          `{"person_id":"${person}","screen":"home","platform":"ios","app_version":"4.2.0"}`,
        );
      };
    }
    case "batch": {
      const id = of.eventIds ? () => `"event_id":"${below(1e9)}-${below(1e9)}",` : () => "";
      const track = () =>
        `{"type":"track",${id()}"person_id":"${personId(below(of.people))}","eventName":"${EVENT_NAMES[below(EVENT_NAMES.length)]}",` +
        `"properties":{"product_id":"sku-${below(1e5)}","price":${below(1e4) / 100},"currency":"EUR","category":"kitchen","page":"/shop/item-${below(1e5)}"}}`;
      return () =>
        post("/data-gateway/v1/batch", of.key, `{"items":[${Array.from({ length: of.events }, track).join(",")}]}`);
    }
  }
}

const EVENT_NAMES = ["product_viewed", "cart_changed", "order_placed", "search_made", "page_opened"];

/** Returns a whole POST, ready for the socket. The body must be ASCII: its length in characters is its Content-Length. */
export function post(path: string, key: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/** Returns a function that returns random whole numbers below `n`, the same series for the same seed (mulberry32). */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
}
