import { type HttpSink, startHttpSink } from "./http-sink.ts";

/** Starts a gateway for text messages that accepts each one (docs/providers.md, "http (sms)"). */
export async function startSmsGateway(): Promise<HttpSink> {
  const sink = await startHttpSink((request, response) => {
    request.resume().once("end", () => response.writeHead(202, { "content-type": "application/json" }).end("{}"));
  });
  return { ...sink, url: `${sink.url}/sms` };
}
