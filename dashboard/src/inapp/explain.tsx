import type { PersonRead } from "../find-person/person-name.ts";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { changedSearch } from "../platform/list/search.ts";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { isRefusal } from "../platform/call/refusal.ts";
import { Explanation } from "./explanation.tsx";
import { NearMisses, Unknown } from "./near-misses.tsx";
import { Question } from "./question.tsx";
import type { ExplainSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { isZone } from "./zoned.ts";

const route = getRouteApi("/w/$workspace/explain");

/** Why a person sees in-app messages on a screen, or does not. The whole question is in the address. */
export function Explain() {
  const t = useTexts(texts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { person: id, timezone } = search;
  const person = useRead<PersonRead>(`/people/${encodeURIComponent(id ?? "")}`, {}, { enabled: id !== undefined });
  const workspace = useRead<{ timezone: string; allow_in_app: boolean }>("/workspace");
  const change = useCallback(
    (changed: { [K in keyof ExplainSearch]: ExplainSearch[K] | undefined }) =>
      void navigate({
        search: (before) => changedSearch(before, changed),
      }),
    [navigate],
  );
  const own = id === undefined ? undefined : person.data?.timezone;
  const other = own ?? workspace.data?.timezone ?? "UTC";
  const chosen = timezone ?? other;
  const zone = {
    other: own ? t("zoneOfPerson", { zone: own }) : t("zoneOfWorkspace", { zone: other }),
    meant: isZone(chosen) ? chosen : "UTC",
  };
  return (
    <Page
      title={t("explain")}
      lead={t("lead")}
      wide
      actions={id && <Copy value={window.location.href} what={t("copyLink")} />}
    >
      <Question search={search} onChange={change} zone={zone} />
      {id === undefined ? (
        <>
          <Empty icon="people" title={t("noQuestion")}>
            {t("noQuestionBody")}
          </Empty>
          <NearMisses />
        </>
      ) : isRefusal(person.error, "person_not_found") ? (
        <Unknown person={id} onChange={(other) => change({ person: other })} />
      ) : (
        <Answer of={person} loading={<Loading rows={8} />}>
          {(found) => (
            <Explanation
              key={id}
              person={found}
              search={{
                ...search,
                ...(timezone || found.timezone ? { timezone: timezone ?? (found.timezone as string) } : {}),
              }}
              meant={zone.meant}
              allowed={workspace.data?.allow_in_app ?? true}
              onMessage={(message) => change({ message })}
            />
          )}
        </Answer>
      )}
    </Page>
  );
}
