import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Delivery } from "../activity/delivery.ts";
import { useSession } from "../members/session.ts";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Section } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

/** Writes a call as one pastes it into a terminal. */
const curl = (path: string, body: object): string =>
  `curl -X POST '${window.location.origin}${path}' -H "Authorization: Bearer $TIDINGS_KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

interface Step {
  name: "stepPerson" | "stepSend" | "stepProvider" | "stepReal";
  body: "stepPersonBody" | "stepSendBody" | "stepProviderBody" | "stepRealBody";
  done: boolean;
  call: string;
}

/** What leads to the first message that really goes out. Gone once there was one. */
export function Steps() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const email = useSession().data?.member.email ?? "";
  const every = { everyMs: 5_000 };
  const people = useRead<{ data: unknown[] }>("/people", { limit: 1 }, every);
  const sent = useRead<{ data: Delivery[] }>("/deliveries", { limit: 50, channel: "email" }, every);
  const providers = useRead<{ data: { kind: string; channel: string }[] }>("/providers", { limit: 200 }, every);
  if (!people.data || !sent.data || !providers.data) return null;

  const real = sent.data.data.some(({ provider, sent_at }) => sent_at !== null && provider !== "local");
  if (real) return null;
  const message = {
    identifiers: { id: "me" },
    from: "Tidings <hello@example.com>",
    subject: "Hello {{person.first_name}}",
    body: "<p>It works, {{person.first_name}}.</p>",
  };
  const steps: Step[] = [
    {
      name: "stepPerson",
      body: "stepPersonBody",
      done: people.data.data.length > 0,
      call: curl("/data-gateway/v1/identify", { person_id: "me", attributes: { email, first_name: "Ada" } }),
    },
    {
      name: "stepSend",
      body: "stepSendBody",
      done: sent.data.data.length > 0,
      call: curl("/data-gateway/transactionals/email", message),
    },
    {
      name: "stepProvider",
      body: "stepProviderBody",
      done: providers.data.data.some(({ kind, channel }) => kind !== "local" && channel === "email"),
      call: curl("/api/v1/providers", {
        name: "Our mail server",
        channel: "email",
        kind: "smtp",
        settings: { host: "mail.example.com", port: 587, user: "tidings" },
        credentials: { password: "..." },
      }),
    },
    { name: "stepReal", body: "stepRealBody", done: false, call: curl("/data-gateway/transactionals/email", message) },
  ];
  const next = steps.find(({ done }) => !done);
  return (
    <Section
      title={t("start")}
      aside={
        <span className="quiet">
          {t("startLead", { done: steps.filter(({ done }) => done).length, all: steps.length })}
        </span>
      }
    >
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step.name}>
            <details className={css.step} open={step === next} key={String(step === next)}>
              <summary>
                <span className={css.mark} data-done={step.done}>
                  {step.done && <Icon name="check" size={12} />}
                </span>
                <span className={css.stepName} data-done={step.done}>
                  {t(step.name)}
                  {step.done && <span className="visually-hidden"> ({t("done")})</span>}
                </span>
              </summary>
              <div className={css.stepBody}>
                <p>
                  {t(step.body)} {t("keyNote")}{" "}
                  <Anchor
                    size="sm"
                    renderRoot={(props) => <Link to="/w/$workspace/keys" params={{ workspace }} {...props} />}
                  >
                    {t("makeKey")}
                  </Anchor>
                </p>
                <div className={css.call}>
                  <pre>{step.call}</pre>
                  <Copy value={step.call} what={t("call")} />
                </div>
              </div>
            </details>
          </li>
        ))}
      </ol>
    </Section>
  );
}
