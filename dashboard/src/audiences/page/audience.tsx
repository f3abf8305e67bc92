import { getRouteApi } from "@tanstack/react-router";
import { useVersion } from "../../platform/call/queries.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { useRemember } from "../../platform/recent.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import type { Audience } from "../audience.ts";
import { ConditionsForm } from "./conditions-form.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/audiences/$id");

/** One audience: its conditions or its list, who is in it, and what uses it. */
export function AudiencePage() {
  const t = useTexts(texts);
  const { workspace, id } = route.useParams();
  const path = `/audiences/${encodeURIComponent(id)}`;
  const read = useVersion<Audience>(path);
  const name = read.data?.body.name;
  useRemember(`/w/${workspace}${path}`, name, "people");
  return (
    <Page
      title={name ?? t("audience")}
      above={[{ text: t("audiences"), link: { to: "/w/$workspace/audiences", params: { workspace } } }]}
    >
      <Answer of={read} loading={<Loading rows={8} />}>
        {(version) => (
          <>
            <ConditionsForm key={id} version={version} />
            <AsCall of={{ method: "GET", path: `/api/v1${path}`, node: "audiences.get", ids: [id] }} />
          </>
        )}
      </Answer>
    </Page>
  );
}
