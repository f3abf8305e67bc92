import { Anchor } from "@mantine/core";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { keepWorkspace, useSession } from "../members/session.ts";
import { callIn } from "../platform/call/call.ts";
import { type OpenWorkspace, WorkspaceProvider } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Empty } from "../platform/states/states.tsx";
import { Frame } from "./frame.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace");

/** Opens the workspace of the address for the pages below it. */
export function WorkspaceFrame() {
  const t = useTexts(texts);
  const { workspace: id } = route.useParams();
  const { data: session } = useSession();
  const call = useMemo(() => callIn(id), [id]);
  const found = session?.workspaces.find((one) => one.id === id);
  const open = useMemo<OpenWorkspace | undefined>(() => found && { ...found, call }, [found, call]);
  useEffect(() => {
    if (open) keepWorkspace(open.id);
  }, [open]);
  if (!session) return null;
  if (!open)
    return (
      <Empty
        icon="key"
        title={t("notMember")}
        action={
          <Anchor component={Link} to="/">
            {t("toStart")}
          </Anchor>
        }
      >
        {t("notMemberBody")}
      </Empty>
    );
  return (
    // With its own key, so that nothing of one workspace stays on the page of another.
    <WorkspaceProvider value={open} key={id}>
      <Frame session={session}>
        <Outlet />
      </Frame>
    </WorkspaceProvider>
  );
}
