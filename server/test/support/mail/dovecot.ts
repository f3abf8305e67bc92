import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../tidings.ts";
import { until } from "../wait.ts";

const DOVECOT = "/usr/sbin/dovecot";
const IMAP = "/usr/lib/dovecot/imap";
/** Debian's nobody and nogroup. */
const NOBODY = 65_534;

/** Whether Dovecot is installed and may be started, which takes root. Without it its tests are skipped with a message; CI must have it. */
export const haveDovecot: boolean = looked();

function looked(): boolean {
  const root = process.getuid?.() === 0;
  if (root && existsSync(DOVECOT) && existsSync(IMAP)) return true;
  if (root && process.env.CI === "true") throw new Error("Dovecot is not installed, and CI must read bounces from it");
  console.warn("SKIPPED: no bounce is read from Dovecot: it needs root (Debian: apt-get install dovecot-imapd)");
  return false;
}

export interface Dovecot {
  port: number;
  user: string;
  password: string;
  /** Puts a mail into the inbox. */
  put(raw: string): void;
  /** Returns the mails of the inbox: the flags of each (S: seen) and its text. */
  mails(): { flags: string; raw: string }[];
}

/** Starts a real IMAP server on a free port with one mailbox. `over` is onTestFinished inside a test, where vitest ignores an afterAll. */
export async function dovecot(over: (end: () => Promise<void>) => void): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), "tidings-dovecot-"));
  const inbox = join(folder, "mail");
  const [port, password] = [await freePort(), "bounce-password-1"];
  chmodSync(folder, 0o755);
  for (const name of ["", "new", "cur", "tmp"]) {
    mkdirSync(join(inbox, name), { recursive: true });
    chownSync(join(inbox, name), NOBODY, NOBODY);
  }
  const lines = [
    `base_dir = ${join(folder, "run")}`,
    `state_dir = ${join(folder, "state")}`,
    `log_path = ${join(folder, "log")}`,
    "protocols = imap",
    "listen = 127.0.0.1",
    "ssl = no",
    "disable_plaintext_auth = no",
    `mail_location = maildir:${inbox}`,
    "first_valid_uid = 1",
    "first_valid_gid = 1",
    "passdb {\n  driver = static\n  args = password=bounce-password-1\n}",
    `userdb {\n  driver = static\n  args = uid=${NOBODY} gid=${NOBODY} home=${inbox}\n}`,
    `service imap-login {\n  inet_listener imap {\n    port = ${port}\n  }\n  inet_listener imaps {\n    port = 0\n  }\n}`,
    "namespace inbox {\n  inbox = yes\n}",
  ];
  const file = join(folder, "dovecot.conf");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn(DOVECOT, ["-F", "-c", file], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  over(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const log = () => (existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "");
  await until(() => greets(port, child, log), "the greeting of Dovecot");
  let count = 0;
  return {
    port,
    user: "bounces@acme.test",
    password,
    put(raw) {
      const name = `${1_760_000_000 + ++count}.M${count}P1.test`;
      writeFileSync(join(inbox, "tmp", name), raw.replaceAll(/\r?\n/g, "\r\n"));
      chownSync(join(inbox, "tmp", name), NOBODY, NOBODY);
      renameSync(join(inbox, "tmp", name), join(inbox, "new", name));
    },
    mails: () => mailsIn(inbox),
  };
}

/** Reads again if Dovecot renames a mail between the list and the reading: flags are part of a file name. */
function mailsIn(inbox: string): { flags: string; raw: string }[] {
  const files = () =>
    ["new", "cur"].flatMap((place) => readdirSync(join(inbox, place)).map((name) => join(place, name)));
  for (;;) {
    const names = files();
    try {
      const mails = names.map((name) => ({
        flags: /:2,([A-Z]*)$/.exec(name)?.[1] ?? "",
        raw: readFileSync(join(inbox, name), "utf8"),
      }));
      if (files().join() === names.join()) return mails;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

function greets(port: number, child: ChildProcess, log: () => string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`Dovecot ended with ${child.exitCode} at its start: ${log()}`);
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.end("a LOGOUT\r\n");
      resolve(true);
    });
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
  });
}
