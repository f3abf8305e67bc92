import { randomUUID } from "node:crypto";

/** Text that stands in JSON as it is: base64 needs no escapes, and to look for some in 20 MiB takes 60 ms. */
export class AsItIs {
  readonly base64: string;
  constructor(base64: string) {
    this.base64 = base64;
  }
}

/** A body of JSON. Each `AsItIs` in it is copied into its place. */
export function jsonBody(value: object): Buffer {
  const large: string[] = [];
  // Random, so that no text of a message is taken for one of these places.
  const mark = randomUUID();
  const json = JSON.stringify(value, (_, one: unknown) => {
    if (!(one instanceof AsItIs)) return one;
    large.push(one.base64);
    return mark;
  });
  const around = json.split(mark);
  return Buffer.concat(around.flatMap((text, i) => [Buffer.from(text), Buffer.from(large[i] ?? "", "latin1")]));
}
