import { APART, type SinkAnswer, type SinkQuestion } from "./sink-question.ts";
import { startSmtpSink } from "./smtp-sink.ts";

// An SMTP sink in its own process, for a benchmark that measures something else meanwhile. Asked for a number of messages,
// it answers once they have arrived and forgets them: those whose recipients begin with `apart`, or all others.

const seen: Record<SinkQuestion["of"], Map<string, number>> = { apart: new Map(), others: new Map() };
let asked: SinkQuestion | undefined;

const sink = await startSmtpSink((to, at) =>
  seen[to.startsWith(APART) ? "apart" : "others"].set(to, performance.timeOrigin + at),
);
setInterval(() => {
  if (!asked || seen[asked.of].size < asked.count) return;
  process.send?.(Object.fromEntries(seen[asked.of]) satisfies SinkAnswer);
  seen[asked.of].clear();
  asked = undefined;
}, 20);
process.on("message", (question: SinkQuestion) => {
  asked = question;
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: sink.port });
