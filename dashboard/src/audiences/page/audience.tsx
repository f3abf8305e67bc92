import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { useRemember } from "../../platform/recent.ts";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import type { Audience } from "../audience.ts";
import { FilterOutline } from "../builder/outline.tsx";
import { AudienceForm } from "./audience-form.tsx";
import { Members } from "./members.tsx";
import { RemoveAudience } from "./remove-audience.tsx";
import { texts } from "./texts.ts";
import { UsedBy } from "./used-by.tsx";
import { Why } from "./why.tsx";

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
      lead={read.data && t(`lead_${read.data.body.kind}`)}
      actions={read.data && <RemoveAudience version={read.data} />}
    >
      <Answer of={read} loading={<Loading rows={8} />}>
        {(version) => <Detail key={id} version={version} />}
      </Answer>
    </Page>
  );
}

function Detail({ version }: { version: Read<Audience> }) {
  const t = useTexts(texts);
  const format = useFormat();
  const may = mayEdit(useWorkspace());
  /** What is typed into the form and not saved. */
  const [typed, setTyped] = useState<object>();
  const { id, kind, filter, used_by: users, created_at: created, updated_at: changed } = version.body;
  return (
    <>
      {may && <AudienceForm version={version} onTyped={setTyped} />}
      {!may && filter && (
        <Section title={t("filter")}>
          <FilterOutline filter={filter} />
        </Section>
      )}
      <Members of={version.body} />
      <Why id={id} />
      <Section title={t("usedBy")}>
        {users.length > 0 ? (
          <>
            <p className="quiet">{t(kind === "list" ? "usedList" : "usedFilter")}</p>
            <UsedBy of={users} />
          </>
        ) : (
          <p className="quiet">{t("unused")}</p>
        )}
      </Section>
      <Section title={t("about")} aside={<HistoryLink of={id} name={version.body.name} />}>
        <Facts
          of={[
            [
              t("id"),
              <>
                <code className="cut">{id}</code>
                <Copy value={id} what={t("id")} />
              </>,
            ],
            [t("created"), format.instant(created)],
            [t("changed"), format.instant(changed)],
          ]}
        />
      </Section>
      <AsCall of={typed ? changeOf(id, typed) : callOf(version.body)} />
    </>
  );
}

const changeOf = (id: string, body: object) =>
  ({ method: "PATCH", path: `/api/v1/audiences/${id}`, node: "audiences.update", ids: [id], body }) as const;

/** A list is filled by calls; conditions are counted by one. */
const callOf = ({ id, kind, filter }: Audience) =>
  kind === "list"
    ? {
        method: "PUT" as const,
        path: `/api/v1/audiences/${id}/members/cus_4101`,
        node: "audiences.addMember",
        ids: [id, "cus_4101"],
      }
    : {
        method: "POST" as const,
        path: "/api/v1/audiences/preview",
        node: "audiences.preview",
        body: { filter },
      };
