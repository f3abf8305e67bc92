import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

// A passkey in software: an ES256 key that answers a browser's questions, as an authenticator that has checked who holds it.

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();
const b64 = (data: Buffer): string => data.toString("base64url");

/** The parts of CBOR that an attestation needs: small integers, byte strings, texts and maps. */
function cbor(value: number | string | Buffer | Map<unknown, unknown>): Buffer {
  const head = (type: number, n: number) =>
    n < 24
      ? Buffer.from([(type << 5) | n])
      : n < 256
        ? Buffer.from([(type << 5) | 24, n])
        : Buffer.from([(type << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, one]) => [cbor(key as number), cbor(one as number)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

export function softwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const rpIdHash = sha256(new URL(origin).hostname);
  let counter = 0;
  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));
  const authData = (flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, rest]);
  };
  const common = { id: b64(id), rawId: b64(id), type: "public-key", clientExtensionResults: {} };

  return {
    /** Answers `navigator.credentials.create`. */
    create({ challenge }: { challenge: string }) {
      const key = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const object = cbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData(0x45, attested)],
        ]),
      );
      return {
        ...common,
        response: {
          clientDataJSON: b64(clientData("webauthn.create", challenge)),
          attestationObject: b64(object),
          transports: ["internal"],
        },
      };
    },
    /** Answers `navigator.credentials.get`; without `verified` the authenticator did not check who holds it. */
    get({ challenge }: { challenge: string }, { verified = true } = {}) {
      counter++;
      const client = clientData("webauthn.get", challenge);
      const data = authData(verified ? 0x05 : 0x01);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...common,
        response: { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) },
      };
    },
  };
}
