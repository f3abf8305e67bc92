interface FirstKeys {
  secretKey: string;
  publicKey: string;
}

type Given = { [K in keyof FirstKeys]?: string | undefined };

/** Shows the name of the variable instead of a key from the environment, because the output may be stored in logs. */
const shown = (made: FirstKeys, given: Given): FirstKeys => ({
  secretKey: given.secretKey === undefined ? made.secretKey : "$BOOTSTRAP_SECRET_KEY",
  publicKey: given.publicKey === undefined ? made.publicKey : "$BOOTSTRAP_PUBLIC_KEY",
});

const list = ({ secretKey, publicKey }: FirstKeys): string =>
  `    secret key  ${secretKey}   (your back end: everything)
    public key  ${publicKey}   (your application: in-app, identify, track)`;

/** Returns the text of a first start that created its keys and then could not listen. */
export const keysOnly = (made: FirstKeys, given: Given): string => `
  The API keys of the first workspace are made, and are shown this once:

${list(shown(made, given))}
`;

/** Returns the text of a first start: the two keys, which are shown only once, and three calls that work as they are. */
export function firstWelcome(address: string, made: FirstKeys, given: Given = {}): string {
  const keys = shown(made, given);
  // The shell replaces a variable between double quotes only.
  const quoted = (text: string) => (text.includes("$") ? `"${text}"` : `'${text}'`);
  const call = (key: string, path: string, body?: object) =>
    `curl -s${body ? " -X POST" : ""} '${address}${path}' -H ${quoted(`Authorization: Bearer ${key}`)}` +
    (body ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : "");
  return `
  Tidings is running on ${address} with a first workspace. Its API keys are shown this once:

${list(keys)}

  An email address or number counts when the secret key says it; what an application says with the public key is kept as a
  claim, and nothing is sent there. Calls of applications need not prove who they are about, but are counted:
  npx tidings doctor says what \`identity_verification: required\` would refuse.

  Three calls to paste: identify a person, send them an email, ask for their in-app messages (none yet). Until a mail
  server is set, mail is captured instead of sent, and GET /api/v1/outbox shows it.

${call(keys.secretKey, "/data-gateway/v1/identify", { person_id: "ada", attributes: { email: "ada@example.com", first_name: "Ada" } })}

${call(keys.secretKey, "/data-gateway/transactionals/email", { identifiers: { id: "ada" }, subject: "Hello {{person.first_name}}", body: "<p>It works, {{person.first_name}}.</p>", from: "Tidings <hello@example.com>" })}

${call(keys.publicKey, "/data-gateway/v1/in-app/messages/sync?person_id=ada")}

${addresses(address)}
  Play the whole job, in-app messages too:  npx tidings demo
`;
}

/** Returns the text of a later start, without keys: only their hashes are stored. @param unproven a line for each workspace with calls that `required` would refuse */
export const laterWelcome = (address: string, unproven: readonly string[] = []): string => `
  Tidings is running on ${address}

${addresses(address)}
  API keys: npx tidings keys list, npx tidings keys create --kind secret
${unproven.map((line) => `  ${line}\n`).join("")}`;

/** Returns the text of a start while the service has no member. */
export const setupWelcome = (link: string): string => `
  The dashboard has no member yet. Whoever opens this address first becomes the owner; it works once, for 7 days, and each
  start prints a new one:

    ${link}
`;

const addresses = (address: string): string => `  Dashboard:      ${address}/
  API reference:  ${address}/docs  (from this machine, or on OPERATIONS_PORT)
  OpenAPI:        ${address}/openapi.json`;
