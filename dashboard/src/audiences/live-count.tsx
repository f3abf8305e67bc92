import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { isRefusal } from "../platform/call/refusal.ts";
import { Fault } from "../platform/states/fault.tsx";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./audiences.module.css";
import { texts } from "./count-texts.ts";
import type { Counted } from "./use-count.ts";

/** How many people a filter lets through, and some of them. */
export function LiveCount({ of }: { of: Counted }) {
  const t = useTexts(texts);
  const { preview, incomplete, counting, error } = of;
  return (
    <div className={css.count}>
      <p className={css.number} role="status" aria-busy={counting} data-old={counting || incomplete}>
        {error
          ? t("uncounted")
          : preview
            ? t("people", { count: preview.count })
            : t(incomplete ? "incomplete" : "counting")}
        {preview && counting && <span className="quiet"> {t("counting")}</span>}
      </p>
      {error && (
        <p className={css.problem} role="alert">
          {isRefusal(error, "busy") ? t("busy") : <Fault of={error} />}{" "}
          <Button size="compact-xs" variant="subtle" onClick={of.retry}>
            {t("retry")}
          </Button>
        </p>
      )}
      {!error && preview && preview.sample.length > 0 && <Sample of={preview.sample} />}
    </div>
  );
}

function Sample({ of }: { of: readonly { person_id: string }[] }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <p className={css.sample}>
      <span className="quiet">{t("sample")}</span>
      {of.map(({ person_id: person }) => (
        <Link
          key={person}
          to="/w/$workspace/people/$person"
          params={{ workspace, person }}
          className={css.person ?? ""}
        >
          {person}
        </Link>
      ))}
    </p>
  );
}
