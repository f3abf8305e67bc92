import { ActionIcon, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWorkspace } from "./call/workspace.ts";
import { type Texts, useTexts } from "./language/texts.ts";
import { Icon } from "./look/icons.tsx";

const texts = { history: ["History", "Verlauf"] } satisfies Texts;

/** A link to all changes of one thing. Only owners may read the log, so others get none. */
export function HistoryLink({ of, name }: { of: string; name: string }) {
  const t = useTexts(texts);
  const { id: workspace, role } = useWorkspace();
  if (role !== "owner") return null;
  return (
    <Tooltip label={t("history")}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={`${t("history")}: ${name}`}
        renderRoot={(props) => (
          <Link to="/w/$workspace/audit" params={{ workspace }} search={{ resource: of }} {...props} />
        )}
      >
        <Icon name="history" />
      </ActionIcon>
    </Tooltip>
  );
}
