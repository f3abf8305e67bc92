import { getRouteApi } from "@tanstack/react-router";
import { Facts } from "../platform/look/parts.tsx";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { AsCall } from "../platform/code/as-call.tsx";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { authoredIcons } from "../platform/list/authored-kinds.ts";
import { useRemember } from "../platform/recent.ts";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { ChangedBy } from "./changed-by.tsx";
import { Contents } from "./contents.tsx";
import { factsOf } from "./facts.tsx";
import type { Thing, ThingKind } from "./kinds.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/$kind/$id");

/** One thing that somebody authored: what it is, what it contains, and who changed it last. */
export function ThingPage() {
  const t = useTexts(texts);
  const { workspace, kind, id } = route.useParams() as { workspace: string; kind: ThingKind; id: string };
  const path = `/${kind}/${encodeURIComponent(id)}`;
  const read = useRead<Thing>(path);
  useRemember(`/w/${workspace}${path}`, read.data?.name, authoredIcons[kind]);
  return (
    <Page title={read.data?.name ?? t(kind)} lead={t(kind)}>
      <Answer of={read} loading={<Loading rows={8} />}>
        {(thing) => <Detail kind={kind} path={path} thing={thing} />}
      </Answer>
    </Page>
  );
}

/** As the client for Node.js names the resource. */
const nodeName = (kind: ThingKind): string => kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function Detail({ kind, path, thing }: { kind: ThingKind; path: string; thing: Thing }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return (
    <>
      <Facts
        of={[
          ...factsOf(thing, { t, format, workspace }),
          [
            t("id"),
            <>
              <code className="cut">{thing.id}</code>
              <Copy value={thing.id} what={t("id")} />
            </>,
          ],
          [t("changedBy"), <ChangedBy key="by" id={thing.id} at={thing.updated_at} />],
        ]}
      />
      <Contents kind={kind} thing={thing} />
      <AsCall of={{ method: "GET", path: `/api/v1${path}`, node: `${nodeName(kind)}.get`, ids: [thing.id] }} />
    </>
  );
}
