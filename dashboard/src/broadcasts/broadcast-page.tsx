import { getRouteApi } from "@tanstack/react-router";
import { useVersion } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge } from "../platform/look/parts.tsx";
import { useRemember } from "../platform/recent.ts";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { type Broadcast, isDraft, pathOf } from "./broadcast.ts";
import { Draft } from "./draft/draft.tsx";
import { Actions } from "./moves/actions.tsx";
import { Result } from "./result/result.tsx";
import { toneOf } from "./search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/broadcasts/$id");

/** One broadcast: what is written in it while it is a draft, how far it is while it is sent, and then what became of it. */
export function BroadcastPage() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { id } = route.useParams();
  const { step = "audience" } = route.useSearch();
  const read = useVersion<Broadcast>(pathOf(id));
  const broadcast = read.data?.body;
  useRemember(`/w/${workspace}${pathOf(id)}`, broadcast?.name, "send");
  return (
    <Page
      title={broadcast?.name ?? t("broadcast")}
      lead={
        broadcast && (
          <>
            {t(broadcast.channel)} <Badge tone={toneOf[broadcast.status]}>{t(broadcast.status)}</Badge>
          </>
        )
      }
      above={[{ text: t("broadcasts"), link: { to: "/w/$workspace/broadcasts", params: { workspace } } }]}
      actions={read.data && <Actions version={read.data} />}
    >
      <Answer of={read} loading={<Loading rows={8} />}>
        {(version) =>
          isDraft(version.body.status) ? (
            <Draft key={id} version={version} step={step} />
          ) : (
            <Result broadcast={version.body} etag={version.etag} />
          )
        }
      </Answer>
    </Page>
  );
}
