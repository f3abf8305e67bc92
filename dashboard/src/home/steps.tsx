import { Link } from "@tanstack/react-router";
import type { Delivery } from "../activity/delivery.ts";
import { useSession } from "../members/session.ts";
import { useRead } from "../platform/call/queries.ts";
import { curlOf } from "../platform/code/call-text.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { List, Section } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

const curl = (path: string, body: object): string => curlOf({ method: "POST", path, body });

const names = ["stepPerson", "stepSend", "stepProvider", "stepReal"] as const;
type Step = (typeof names)[number];

/** Returns the call of each step. Its person is the member, so that the message reaches them. */
function callsOf(email: string): Record<Step, string> {
  const send = curl("/data-gateway/transactionals/email", {
    identifiers: { id: "me" },
    from: "Tidings <hello@example.com>",
    subject: "Hello {{person.first_name}}",
    body: "<p>It works, {{person.first_name}}.</p>",
  });
  return {
    stepPerson: curl("/data-gateway/v1/identify", { person_id: "me", attributes: { email, first_name: "Ada" } }),
    stepSend: send,
    stepProvider: curl("/api/v1/providers", {
      name: "Our mail server",
      channel: "email",
      kind: "smtp",
      settings: { host: "mail.example.com", port: 587, user: "tidings" },
      credentials: { password: "..." },
    }),
    stepReal: send,
  };
}

const ofSent = ["/deliveries", { limit: 50, channel: "email" }] as const;

/** What leads to the first message that really goes out. Gone, and no longer asked about, once there was one. */
export function Steps() {
  const sent = useRead<{ data: Delivery[] }>(...ofSent).data?.data;
  if (!sent || sent.some(({ provider, sent_at }) => sent_at !== null && provider !== "local")) return null;
  return <OpenSteps />;
}

function OpenSteps() {
  const t = useTexts(texts);
  const email = useSession().data?.member.email ?? "";
  const people = useRead<{ data: unknown[] }>("/people", { limit: 1 });
  const sent = useRead<{ data: Delivery[] }>(...ofSent);
  const providers = useRead<{ data: { kind: string; channel: string }[] }>("/providers", { limit: 200 });
  if (!people.data || !sent.data || !providers.data) return null;

  const done = {
    stepPerson: people.data.data.length > 0,
    stepSend: sent.data.data.length > 0,
    stepProvider: providers.data.data.some(({ kind, channel }) => kind !== "local" && channel === "email"),
    stepReal: false,
  };
  const calls = callsOf(email);
  const next = names.find((name) => !done[name]);
  return (
    <Section
      title={t("start")}
      aside={
        <span className="quiet">
          {t("startLead", { done: names.filter((name) => done[name]).length, all: names.length })}
        </span>
      }
    >
      <List ordered>
        {names.map((name) => (
          <li key={name}>
            <StepDetails
              key={String(name === next)}
              name={name}
              done={done[name]}
              open={name === next}
              call={calls[name]}
            />
          </li>
        ))}
      </List>
    </Section>
  );
}

interface StepProps {
  name: Step;
  done: boolean;
  open: boolean;
  call: string;
}

function StepDetails({ name, done, open, call }: StepProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <details className={css.step} open={open}>
      <summary>
        <span className={css.mark} data-done={done}>
          {done && <Icon name="check" size={12} />}
        </span>
        <span className={css.stepName} data-done={done}>
          {t(name)}
          {done && <span className="visually-hidden"> ({t("done")})</span>}
        </span>
      </summary>
      <div className={css.stepBody}>
        <p>
          {t(`${name}Body`)} {t("keyNote")}{" "}
          <Link to="/w/$workspace/keys" params={{ workspace }}>
            {t("makeKey")}
          </Link>
        </p>
        <div className={css.call}>
          <pre>{call}</pre>
          <Copy value={call} what={t("call")} />
        </div>
      </div>
    </details>
  );
}
