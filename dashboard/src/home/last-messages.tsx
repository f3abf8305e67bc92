import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Delivery } from "../activity/delivery.ts";
import { Status } from "../activity/status.tsx";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { List, Section } from "../platform/look/parts.tsx";
import { Answer } from "../platform/states/states.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

/** The newest deliveries. */
export function LastMessages() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const read = useRead<{ data: Delivery[] }>("/deliveries", { limit: 8 });
  const all = (
    <Anchor size="sm" renderRoot={(props) => <Link to="/w/$workspace/deliveries" params={{ workspace }} {...props} />}>
      {t("allDeliveries")}
    </Anchor>
  );
  return (
    <Section title={t("lastSends")} aside={all}>
      <Answer of={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">{t("noSends")}</p>
          ) : (
            <List>
              {data.map(({ id, status, recipient, person_id, queued_at }) => (
                <li key={id}>
                  <Link
                    to="/w/$workspace/deliveries"
                    params={{ workspace }}
                    search={{ open: id }}
                    className={css.message ?? ""}
                  >
                    <span>
                      <Status of={status} />
                    </span>
                    <span className="cut">{recipient ?? person_id}</span>
                    <time className="quiet" dateTime={queued_at} title={format.instant(queued_at)}>
                      {format.ago(queued_at)}
                    </time>
                  </Link>
                </li>
              ))}
            </List>
          )
        }
      </Answer>
    </Section>
  );
}
