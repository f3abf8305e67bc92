import type { Topic } from "@tidings/contract/audience/subscriptions";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Static } from "typebox";
import { useList } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts } from "./texts.ts";

/** Which topics the limits leave out. */
export function ExemptTopics() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const list = useList<Static<typeof Topic>>("/topics", { limit: 200 });
  const exempt = list.rows.filter(({ exempt_from_limits }) => exempt_from_limits);
  if (!list.data) return null;
  return (
    <p className="quiet">
      {exempt.length > 0 ? t("exempt") : t("noneExempt")}{" "}
      {exempt.map(({ id, name }, i) => (
        <Fragment key={id}>
          {i > 0 && ", "}
          <Link to="/w/$workspace/topics" params={{ workspace }} search={{ open: id }}>
            {name}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}
