import { createSocket } from "node:dgram";
import dns from "node:dns";
import type { AddressInfo } from "node:net";
import { atEnd } from "../wait.ts";

/** The records of a name: texts for TXT, `10 mx.example.com` for MX. A name without an entry does not exist. */
export interface Zone {
  txt?: string[];
  mx?: string[];
}

export interface DnsServer {
  zones: Map<string, Zone>;
  /** The names that were asked for. */
  asked: string[];
  /** Names whose questions are answered with a fault of the server. */
  faulty: Set<string>;
}

const TXT = 16;
const MX = 15;

/** Starts a name server for TXT and MX, and makes this process ask it instead of the machine's. */
export async function dnsServer(): Promise<DnsServer> {
  const it: DnsServer = { zones: new Map(), asked: [], faulty: new Set() };
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end } = nameIn(query);
    it.asked.push(name);
    socket.send(answerTo(it, query, name, end), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  atEnd(() => {
    dns.setServers(before);
    socket.close();
  });
  return it;
}

/** Reads the name of the question (RFC 1035 4.1.2). `end` is after its type and class. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

function answerTo({ zones, faulty }: DnsServer, query: Buffer, name: string, end: number): Buffer {
  const type = query.readUInt16BE(end - 4);
  const zone = zones.get(name);
  const exists = zone !== undefined || [...zones.keys()].some((other) => other.endsWith(`.${name}`));
  const values = (type === TXT ? zone?.txt : type === MX ? zone?.mx : undefined) ?? [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // An answer, recursion available; SERVFAIL, or NXDOMAIN where neither the name nor one below it exists.
  header.writeUInt16BE(0x8180 | (faulty.has(name) ? 2 : exists ? 0 : 3), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...values.map((value) => record(type, value))]);
}

function record(type: number, value: string): Buffer {
  const data = type === TXT ? textData(value) : exchangeData(value);
  const head = Buffer.alloc(12);
  // The name is that of the question, at byte 12.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Strings of at most 255 bytes. */
function textData(value: string): Buffer {
  const parts = value.match(/.{1,255}/gs) ?? [""];
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([Buffer.byteLength(part)]), Buffer.from(part)]));
}

function exchangeData(value: string): Buffer {
  const [priority = "0", host = ""] = value.split(" ");
  const labels = host.replace(/\.$/, "").split(".").filter(Boolean);
  const number = Buffer.alloc(2);
  number.writeUInt16BE(Number(priority));
  return Buffer.concat([
    number,
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ]);
}
