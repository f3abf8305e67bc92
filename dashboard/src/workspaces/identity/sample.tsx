import { Samples } from "../../platform/code/samples.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { texts } from "./texts.ts";

const SAMPLES = {
  "@tidings/node": `import { signPersonToken } from "@tidings/node";

// For the person who is signed in to your application, and nobody else.
const token = signPersonToken({
  kid: process.env.TIDINGS_KID,
  secret: process.env.TIDINGS_SIGNING_SECRET,
  personId: user.id,
  email: user.email, // so that it counts as proven
  expiresInSeconds: 3600,
});`,
  "Node.js": `import { createHmac } from "node:crypto";

const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = Math.floor(Date.now() / 1000);
const signed = [
  part({ alg: "HS256", typ: "JWT", kid: process.env.TIDINGS_KID }),
  part({ sub: user.id, email: user.email, iat: now, exp: now + 3600 }),
].join(".");
const token = \`\${signed}.\${createHmac("sha256", process.env.TIDINGS_SIGNING_SECRET).update(signed).digest("base64url")}\`;`,
  Python: `import os, time
import jwt  # PyJWT

now = int(time.time())
token = jwt.encode(
    {"sub": user.id, "email": user.email, "iat": now, "exp": now + 3600},
    os.environ["TIDINGS_SIGNING_SECRET"],
    algorithm="HS256",
    headers={"kid": os.environ["TIDINGS_KID"]},
)`,
} as const;

/** How a back end makes the token, ready to copy. */
export function Sample() {
  const t = useTexts(texts);
  return (
    <Section title={t("sample")}>
      <p className="quiet">{t("sampleLead")}</p>
      <Samples of={SAMPLES} />
    </Section>
  );
}
