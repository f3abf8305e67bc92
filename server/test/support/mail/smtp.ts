import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { atEnd } from "../wait.ts";

export interface Received {
  from: string;
  to: string[];
  raw: string;
  email: Email;
  /** The user who logged in. */
  user: string | undefined;
}

export interface TestSmtp {
  port: number;
  received: Received[];
  /** Messages that reached their final dot, accepted or not. */
  attempts: string[];
  /** Answers to the next messages: one such as "451 later" refuses a message, `stall` never answers. */
  next: (string | "stall")[];
  /** The answer to a sender or a recipient. */
  refuse: Map<string, string>;
}

const refusal = (text: string): Error =>
  Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });

/** Starts a mail server on a free port, as the remote server of the smtp provider. */
export async function testSmtp(login?: { user: string; pass: string }): Promise<TestSmtp> {
  const it: TestSmtp = { port: 0, received: [], attempts: [], next: [], refuse: new Map() };
  const server = new SMTPServer({
    authOptional: !login,
    disabledCommands: login ? ["STARTTLS"] : ["AUTH", "STARTTLS"],
    allowInsecureAuth: true,
    // After a close, open connections get a 421 at once and not after 30 s. A service waits 6 s for hand-offs that are stalled.
    closeTimeout: 1,
    onAuth(auth, _session, done) {
      if (auth.username === login?.user && auth.password === login?.pass) done(null, { user: auth.username });
      else done(refusal("535 Authentication failed"));
    },
    onMailFrom(address, _session, done) {
      const answer = it.refuse.get(address.address);
      done(answer === undefined ? null : refusal(answer));
    },
    onRcptTo(address, _session, done) {
      const answer = it.refuse.get(address.address);
      done(answer === undefined ? null : refusal(answer));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        it.attempts.push(raw);
        const answer = it.next.shift();
        if (answer === "stall") return;
        if (answer !== undefined) return done(refusal(answer));
        const { mailFrom, rcptTo } = session.envelope;
        it.received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((entry) => entry.address),
          raw,
          email: await PostalMime.parse(raw),
          user: session.user as string | undefined,
        });
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.port = (server.server.address() as AddressInfo).port;
  atEnd(() => server.close());
  return it;
}
