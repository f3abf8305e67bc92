import { Tabs } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Section, Source } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import css from "../workspaces.module.css";
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
      <Tabs defaultValue="@tidings/node">
        <Tabs.List>
          {Object.keys(SAMPLES).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(SAMPLES).map(([name, text]) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <div className={css.sample}>
              <Source text={text} />
              <span className={css.sampleCopy}>
                <Copy value={text} what={name} />
              </span>
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
