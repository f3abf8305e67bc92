import { type HttpSink, startHttpSink } from "./http-sink.ts";

/** A far end that takes each object of S3 and each insert of ClickHouse, and counts their bytes. */
export interface Store extends HttpSink {
  /** How many have come so far. */
  bytes(): number;
}

/** Starts a store that reads what it gets and keeps nothing. */
export async function startStore(): Promise<Store> {
  let bytes = 0;
  const sink = await startHttpSink((request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.once("end", () => response.writeHead(200).end());
  });
  return { ...sink, bytes: () => bytes };
}
