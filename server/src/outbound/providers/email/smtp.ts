import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { SettingsOf } from "@tidings/contract/messages/providers";
import { createTransport, type NodemailerError } from "nodemailer";
import type { Ground } from "../../../platform/ground.ts";
import { encodeId, newId } from "../../../platform/ids.ts";
import { connectOut, OutboundError, wayOut } from "../../../platform/outbound-http/index.ts";
import type { Outgoing } from "../../message/email.ts";
import type { Outcome } from "../../queue/retry.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { PARKED } from "../protocol/under-way.ts";
import { mail } from "./mime.ts";
import { bounceAddress, checkBounceMailbox, mailboxAt, returnPath } from "./return-path.ts";
import { converse, type Refusal } from "./smtp-conversation.ts";
import { REFUSAL, transcript } from "./smtp-tape.ts";

/** Connections to one server. A stalled one is lost for up to 10 minutes, and does not affect other providers. */
const CONNECTIONS = 8;
const MINUTE = 60_000;
const CONNECT_MS = 30_000;
/** How long a check waits for one answer. After that time its caller has gone. */
const CHECK_MS = 20_000;
/** Bytes of a message that are collected for one write. */
const PIECE = 64 * 1024;

/** A mail server that the operator names, through nodemailer: pooled, with TLS, and without any user's text to parse. */
export const smtp: Kind<"smtp"> = {
  check: ({ bounce_mailbox }) => checkBounceMailbox(bounce_mailbox),
  credentialsGoTo(settings) {
    const { bounce_mailbox: mailbox, ...server } = settings;
    return {
      ...placeOf(server),
      require_tls: requiresTls(settings),
      verify_certificate: settings.verify_certificate ?? true,
      ...(mailbox &&
        Object.fromEntries(
          Object.entries(mailboxAt(mailbox)).map(([name, value]) => [`bounce_mailbox/${name}`, value]),
        )),
    };
  },
  open: smtpProvider,
};

const placeOf = ({ host, port, secure = false }: Pick<SettingsOf<"smtp">, "host" | "port" | "secure">) => ({
  host: host.toLowerCase(),
  port: port ?? (secure ? 465 : 587),
  secure,
});
const requiresTls = ({ require_tls, user }: SettingsOf<"smtp">): boolean => require_tls ?? user !== undefined;

function smtpProvider(ground: Ground, { settings, credentials, scrub }: Opening<"smtp">): Provider<"email"> {
  const { host, port, secure } = placeOf(settings);
  const out = wayOut({ allowPrivate: ground.config.allowPrivateNetwork });
  const reasonOf = (error: NodemailerError) => scrub(wordsOf(error, `${host}:${port}`));
  const spoken = ground.tape && transcript(ground.tape, scrub);
  const server = {
    host,
    port,
    secure,
    requireTLS: requiresTls(settings),
    tls: { rejectUnauthorized: settings.verify_certificate ?? true },
    ...(settings.user !== undefined && { auth: { user: settings.user, pass: credentials.password ?? "" } }),
    ...spoken?.options,
  };
  ground.tape?.add("note", `${host}:${port}${secure ? ", TLS" : ""}`);
  // Nodemailer gets a connected socket, because its own resolver does not check whether an address is allowed.
  const connect = () => connectOut(out, { host, port, timeoutMs: CONNECT_MS });
  const transport = mailTransport(server, connect);
  return {
    kind: "smtp",
    concurrency: CONNECTIONS,
    async hand({ message: email, deliveryId }) {
      const begun: Begun = { stream: undefined };
      try {
        const back = returnPath(email, deliveryId, settings.bounce_mailbox);
        const info = await transport.sendMail(Object.assign(mail(email), back, { [BEGUN]: begun }));
        return outcomeOf(email, info as unknown as Sent, reasonOf);
      } catch (error) {
        return failure(
          errorOfRecipient(email, error as NodemailerError),
          reasonOf,
          begun.stream?.readableDidRead ?? false,
        );
      }
    },
    async check(from) {
      try {
        const sender = bounceAddress(encodeId("dlv", newId()), settings.bounce_mailbox) ?? from;
        const timeouts = { greetingTimeout: CHECK_MS, socketTimeout: CHECK_MS };
        const refusal = await converse({ ...server, ...timeouts, connection: await connect() }, sender, spoken?.name);
        return refusal && !isMissingPostmaster(refusal)
          ? `${refusal.command} was answered with ${refusal.response}`
          : undefined;
      } catch (error) {
        return reasonOf(error as NodemailerError);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** Returns nodemailer's pool of connections to a server. `connect` opens one. */
function mailTransport(server: object, connect: () => Promise<Socket>) {
  const transport = createTransport({
    ...server,
    pool: true,
    getSocket: (_options: object, done: (error: Error | null, socket?: { connection: Socket }) => void) =>
      void connect().then((connection) => done(null, { connection }), done),
    // More than CONNECTIONS, for hand-offs that are parked.
    maxConnections: CONNECTIONS * (1 + PARKED),
    maxMessages: 1_000,
    // Repeats over another connection, where the server closed one before a byte of the message: some do so after each message.
    maxRequeues: 5,
    idleTimeout: 20_000,
    connectionTimeout: CONNECT_MS,
    // RFC 5321 4.5.3.2: 5 minutes for the greeting and each command, 10 after the final dot. A shorter wait makes duplicates.
    greetingTimeout: 5 * MINUTE,
    socketTimeout: 10 * MINUTE,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The last step before the hand-off: the stream shows whether the server got a byte of the message. The pool must not repeat a
  // message that had begun: that would be a second copy that no row records.
  transport.use("stream", ({ data, message }, next) => {
    const begun = (data as { [BEGUN]?: Begun })[BEGUN];
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      if (begun?.stream?.readableDidRead) return Readable.from(refuseRepeat());
      const stream = inLargePieces(create(options));
      if (begun) begun.stream = stream;
      return stream;
    };
    next();
  });
  return transport;
}

/**
 * Joins the pieces of a message. Nodemailer returns eight or more, and each was a write of its own to the server: 12 % of what an
 * email costs. A small message is sent in one write. Nothing of it is read before the server asks for it.
 */
function inLargePieces(source: Readable): Readable {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let reading = false;
  const large = new Readable({
    read() {
      if (reading) source.resume();
      else listen();
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
  function flush(): boolean {
    const whole = Buffer.concat(pieces, bytes);
    [pieces, bytes] = [[], 0];
    return large.push(whole);
  }
  function listen(): void {
    reading = true;
    source.on("data", (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= PIECE && !flush()) source.pause();
    });
    source.on("end", () => {
      if (bytes > 0) flush();
      large.push(null);
    });
    source.on("error", (error) => large.destroy(error));
  }
  return large;
}

const BEGUN = "tidingsBegun";
interface Begun {
  stream: Readable | undefined;
}

// biome-ignore lint/correctness/useYield: a stream that only ends in an error
async function* refuseRepeat(): AsyncGenerator<Buffer> {
  throw new Error("the connection broke after the message had begun");
}

interface Sent {
  rejected: string[];
  rejectedErrors?: NodemailerError[];
  response?: string;
}

/** Returns the error of the recipient where several were refused, because the error of a copy shows nothing about the recipient. */
function errorOfRecipient(email: Outgoing, error: NodemailerError): NodemailerError {
  const all = (error as Partial<Pick<Sent, "rejectedErrors">>).rejectedErrors;
  return all?.find((one) => (one as { recipient?: string }).recipient === email.to.address) ?? error;
}

/** Reads the result of a message that the server took for at least one address: it counts whether the recipient is among them. */
function outcomeOf(email: Outgoing, info: Sent, reasonOf: Words): Outcome {
  if (info.rejected.includes(email.to.address)) {
    const refused = Object.assign(new Error("the recipient was rejected"), info) as unknown as NodemailerError;
    return failure(errorOfRecipient(email, refused), reasonOf, false);
  }
  return {
    kind: "sent",
    ...(info.rejected.length > 0 && { note: { rejected: info.rejected } }),
    ...(info.response !== undefined && { providerMessageId: info.response }),
  };
}

/** Commands whose 5xx is about this message. A 5xx to the greeting or to AUTH is about the server: a repeat may work. */
const ABOUT_THE_MESSAGE = new Set(["MAIL FROM", "RCPT TO", "DATA"]);
const NO_MAILBOX = /^5\d\d[ -]5\.1\.1\b/;
/** "Authentication required" and similar codes, which some servers send only after MAIL FROM: the operator can correct the login. */
const ABOUT_THE_LOGIN = new Set([530, 534, 535, 538]);

/** Whether the server accepted the sender and only has no postmaster: it accepts messages to recipients that exist. */
const isMissingPostmaster = ({ command, response }: Refusal): boolean =>
  command.startsWith("RCPT TO") && NO_MAILBOX.test(response);

/** @param dataBegun whether the server got a byte of the message: it may have all of it, and its answer was lost */
function failure(error: NodemailerError, reasonOf: Words, dataBegun: boolean): Outcome {
  const { responseCode = 0, command = "", code } = error as { responseCode?: number; command?: string; code?: string };
  const reason = reasonOf(error);
  // Without an answer of the server these two are the library's own refusal of an impossible address or size.
  if (responseCode === 0 && (code === "EENVELOPE" || code === "EMESSAGE"))
    return { kind: "refused", reason, unasked: true };
  const aboutTheMessage = ABOUT_THE_MESSAGE.has(command);
  if (ABOUT_THE_LOGIN.has(responseCode) || (code === "EAUTH" && (responseCode === 0 || responseCode >= 500)))
    return { kind: "retry", reason, fault: "credentials" };
  // RFC 3463: there is no such mailbox. Other 5xx to a recipient may be about this service, or may pass.
  if (responseCode >= 500 && command === "RCPT TO" && NO_MAILBOX.test(reason))
    return { kind: "refused", reason, invalidRecipient: true };
  if (responseCode >= 500 && aboutTheMessage) return { kind: "refused", reason };
  if (responseCode === 0 && dataBegun) return { kind: "unknown", reason };
  // With 421 the server closes the connection. Any other 4xx to a command of the message may be about its sender or recipient alone.
  if (aboutTheMessage && responseCode !== 421) return { kind: "retry", reason };
  return { kind: "retry", reason, fault: "provider" };
}

type Words = (error: NodemailerError) => string;

/** TLS errors that the operator must see: they come from a server that supports TLS. */
const ABOUT_THE_CERTIFICATE = /certificate|CERT_|altname/i;

/**
 * Returns the server's own words. Until a server has greeted like a mail server, its answer is not shown, nor whether there is one:
 * a provider's settings can name any host and port, and must not become a means to explore a network.
 */
function wordsOf(error: NodemailerError, place: string): string {
  const { response, code, command, message } = error as Partial<Record<"response" | "code" | "command", string>> &
    Error;
  const greeted = command !== undefined && !["CONN", "EHLO", "HELO"].includes(command);
  if (response !== undefined && (greeted || (command === "CONN" && REFUSAL.test(response)))) return response;
  if (greeted || ABOUT_THE_CERTIFICATE.test(message)) return `${code ?? "error"}: ${message}`;
  const known = error instanceof OutboundError && ["private_address", "name_not_found"].includes(error.failure);
  if (known || code === "EENVELOPE" || code === "EMESSAGE") return message;
  return `no mail server answers at ${place}, or not as its settings say (port, secure)`;
}
