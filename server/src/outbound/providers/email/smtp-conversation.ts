import { promisify } from "node:util";
import SMTPConnection, {
  type SMTPConnectionAuth,
  type SMTPConnectionCustomAuthHandler,
  type SMTPConnectionOptions,
} from "nodemailer/lib/smtp-connection";

/** A command of the envelope that the server refused, and its answer. */
export interface Refusal {
  command: string;
  response: string;
}

/** The name of the login method by which the envelope is tried. It is never sent to a server. */
const ENVELOPE = "ENVELOPE";

/**
 * Holds a whole conversation with a mail server and sends no message: greeting, TLS, login, then MAIL FROM, RCPT TO and RSET
 * where a sender is given. Returns the first command of the envelope that the server refused. `named` hears each command of the envelope
 * before it is sent.
 *
 * The envelope goes through nodemailer's hook for custom login methods, its only public way to send a command: its `send`
 * writes DATA together with MAIL FROM where the server pipelines, so it can't stop before the message.
 * @throws NodemailerError where the conversation ends before the envelope
 */
export async function converse(
  options: SMTPConnectionOptions & { auth?: SMTPConnectionAuth | undefined },
  sender: string | undefined,
  named: (command: string) => void = () => {},
): Promise<Refusal | undefined> {
  const tried: { refusal?: Refusal } = {};
  const tryEnvelope: SMTPConnectionCustomAuthHandler = async ({ sendCommand }) => {
    for (const command of envelopeOf(sender as string)) {
      named(command);
      const { response } = await sendCommand(command);
      if (!response.startsWith("2")) {
        // The server may close the connection after such an answer, so no other command follows.
        tried.refusal = { command, response };
        return;
      }
    }
    named("RSET");
    await sendCommand("RSET");
  };
  const connection = new SMTPConnection({ ...options, customAuth: { [ENVELOPE]: tryEnvelope } });
  const ended = new Promise<never>((_, reject) => {
    connection.on("error", reject);
    // A 421 is an answer and also ends the connection. The answer counts.
    connection.on("end", () => setImmediate(reject, new Error("Connection closed")));
  });
  const login = promisify(connection.login.bind(connection));
  const steps = async () => {
    await promisify(connection.connect.bind(connection))();
    if (options.auth && connection.allowsAuth) await login(options.auth);
    if (sender !== undefined) await login({ method: ENVELOPE });
  };
  try {
    await Promise.race([steps(), ended]);
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  }
  return tried.refusal;
}

/** Each server accepts mail for the postmaster of a domain that it serves (RFC 5321 4.5.1), and a relay does for any domain. */
const envelopeOf = (sender: string): string[] => [
  `MAIL FROM:<${sender}>`,
  `RCPT TO:<postmaster${sender.slice(sender.lastIndexOf("@"))}>`,
];
