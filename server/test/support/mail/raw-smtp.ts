import { type AddressInfo, createServer, type Socket } from "node:net";
import { atEnd } from "../wait.ts";

/** Points of one SMTP conversation at which a test may act. */
export type Moment = "greeting" | "data" | "dot";

export interface RawSmtp {
  port: number;
  /** Message-IDs that reached their final dot, in order. */
  arrived: string[];
  /** Message-IDs that were answered 250. */
  taken: string[];
  /** Commands in order, of all connections. */
  commands: string[];
  /** Answers to commands that begin with these texts, instead of 250. */
  answers: Map<string, string>;
  /** Connections whose DATA has begun. */
  begun: number;
  /**
   * What the server does at a point: a resolved promise continues as usual, one that never resolves hangs there. `yes` sends the 250 for
   * the message now.
   */
  step: (moment: Moment, socket: Socket, yes: () => void) => Promise<void> | void;
}

/** Starts a hand-written mail server that can stop, or end a process, between any two bytes; smtp-server answers automatically. */
export async function rawSmtp(): Promise<RawSmtp> {
  const it: RawSmtp = { port: 0, arrived: [], taken: [], commands: [], answers: new Map(), begun: 0, step: () => {} };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    converse(it, socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.port = (server.address() as AddressInfo).port;
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return it;
}

async function converse(it: RawSmtp, socket: Socket): Promise<void> {
  const reply = (text: string) => socket.writable && socket.write(`${text}\r\n`);
  await it.step("greeting", socket, () => {});
  reply("220 raw ESMTP");
  let rest = "";
  let inData = false;
  for await (const chunk of socket.setEncoding("latin1")) {
    rest += chunk;
    if (inData && rest !== "" && !rest.includes("\r\n.\r\n")) await it.step("data", socket, () => {});
    for (let end = nextEnd(rest, inData); end !== -1; end = nextEnd(rest, inData)) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        await dot(it, socket, line, reply);
        continue;
      }
      const verb = line.slice(0, 4).toUpperCase();
      it.commands.push(line);
      inData = verb === "DATA";
      if (inData) it.begun++;
      const answer = it.answers.get(verb) ?? (verb === "DATA" ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 ok");
      reply(answer);
      if (answer.startsWith("421")) socket.end();
    }
  }
}

const nextEnd = (text: string, inData: boolean): number => text.indexOf(inData ? "\r\n.\r\n" : "\r\n");

async function dot(it: RawSmtp, socket: Socket, message: string, reply: (text: string) => unknown): Promise<void> {
  const id = /^Message-ID: <(.*)@/im.exec(message)?.[1] ?? "?";
  it.arrived.push(id);
  let replied = false;
  const yes = () => {
    if (replied) return;
    replied = true;
    it.taken.push(id);
    reply(`250 taken as ${id}`);
  };
  await it.step("dot", socket, yes);
  yes();
}
