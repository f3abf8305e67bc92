import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type {
  EmailTemplateVersionList as VersionListShape,
  EmailTemplateVersion as VersionShape,
} from "@tidings/contract/messages/templates";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { keepVersion, useList, useRead } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { More } from "../../platform/list/more.tsx";
import { Badge, Choice, Item, Lines, List, Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { useLayouts } from "../start/layout-select.tsx";
import type { Template } from "../template.ts";
import { Difference } from "./difference.tsx";
import { texts } from "./texts.ts";
import css from "./versions.module.css";

type Row = Static<typeof VersionListShape>["data"][number];
type Version = Static<typeof VersionShape>;
const route = getRouteApi("/w/$workspace/email-templates/$id");

/** All versions of a template, two of them compared, and the way back to one. */
export function Versions({ template }: { template: Template }) {
  const t = useTexts(texts);
  const list = useList<Row>(`/email-templates/${template.id}/versions`);
  const { before, after } = route.useSearch();
  const [restoring, setRestoring] = useState<number>();
  const newer = after ?? template.version;
  const older = before ?? (newer > 1 ? newer - 1 : undefined);
  return (
    <>
      {older !== undefined && older !== newer && <Compared id={template.id} before={older} after={newer} />}
      <Section title={t("versions")}>
        <Answer of={list} loading={<Loading rows={6} />}>
          {() => (
            <>
              <List>
                {list.rows.map((row) => (
                  <Item key={row.version} wrap>
                    <OneVersion
                      row={row}
                      newest={template.version}
                      compared={[older, newer]}
                      onRestore={() => setRestoring(row.version)}
                    />
                  </Item>
                ))}
              </List>
              <More list={list} />
            </>
          )}
        </Answer>
        {template.version === 1 && <p className="quiet">{t("only")}</p>}
      </Section>
      <AsCall
        of={{
          method: "GET",
          path: `/api/v1/email-templates/${template.id}/versions`,
          node: "emailTemplates.versions",
          ids: [template.id],
        }}
      />
      {restoring !== undefined && (
        <Restore template={template} version={restoring} onClose={() => setRestoring(undefined)} />
      )}
    </>
  );
}

interface OneVersionProps {
  row: Row;
  newest: number;
  compared: readonly [older: number | undefined, newer: number];
  onRestore: () => void;
}

function OneVersion({ row, newest, compared: [older, newer], onRestore }: OneVersionProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const navigate = route.useNavigate();
  const { version, cause, created_by: by, created_at: at, subject } = row;
  const may = mayEdit(useWorkspace());
  const go = (to: { before?: number; after?: number }) =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace: true });
  const name = t("version", { version });
  return (
    <>
      <Lines>
        <span className={css.here}>
          {name}
          {version === newest && <Badge tone="good">{t("newest")}</Badge>}
        </span>
        <span className="quiet">
          {by ? t("madeBy", { cause: t(cause), who: by.name || by.type }) : t(cause)},{" "}
          <time dateTime={at} title={format.instant(at)}>
            {format.ago(at)}
          </time>
        </span>
        <span className="quiet cut">{subject}</span>
      </Lines>
      {newest > 1 && (
        <fieldset
          className={css.row}
          aria-label={`${t("compare")}: ${name}`}
          style={{ border: 0, margin: 0, padding: 0 }}
        >
          {version < newer && (
            <Choice text={t("before")} chosen={version === older} onClick={() => go({ before: version })} />
          )}
          {version > (older ?? 0) && (
            <Choice text={t("after")} chosen={version === newer} onClick={() => go({ after: version })} />
          )}
        </fieldset>
      )}
      {may && version !== newest && (
        <Button size="xs" variant="default" aria-label={t("restore", { version })} onClick={onRestore}>
          {t("restoreShort")}
        </Button>
      )}
    </>
  );
}

const fields = ["subject", "preheader", "from", "reply_to", "layout_id", "format", "body", "plaintext"] as const;

function Compared({ id, before, after }: { id: string; before: number; after: number }) {
  const t = useTexts(texts);
  const [older, newer] = [before, after].map((version) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: always two
    useRead<Version>(`/email-templates/${id}/versions/${version}`, {}, { keep: true }),
  ) as [ReturnType<typeof useRead<Version>>, ReturnType<typeof useRead<Version>>];
  const layouts = useLayouts();
  const said = (version: Version, field: (typeof fields)[number]): string => {
    const value = version[field] ?? "";
    return field === "layout_id" ? (layouts.data?.data.find((one) => one.id === value)?.name ?? value) : value;
  };
  return (
    <Section title={t("compared", { before, after })}>
      <Answer of={older} loading={<Loading rows={6} />}>
        {(was) => (
          <Answer of={newer} loading={<Loading rows={6} />}>
            {(is) => {
              const differ = fields.filter((field) => was[field] !== is[field]);
              if (differ.length === 0) return <Note tone="plain">{t("same")}</Note>;
              return differ.map((field) => (
                <div key={field}>
                  <h3 className={css.field}>{t(field)}</h3>
                  <Difference label={t(field)} before={said(was, field)} after={said(is, field)} />
                </div>
              ));
            }}
          </Answer>
        )}
      </Answer>
    </Section>
  );
}

interface RestoreProps {
  template: Template;
  version: number;
  onClose: () => void;
}

function Restore({ template: { id }, version, onClose }: RestoreProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = route.useNavigate();
  const restore = async () => {
    const path = `/email-templates/${id}`;
    keepVersion(open.id, path, await open.call<Template>("POST", `${path}/versions/${version}/restore`, { body: {} }));
    tell(t("restoredDone", { version }));
    void navigate({ search: { view: "versions" }, replace: true });
  };
  return (
    <Ask title={t("restore", { version })} yes={t("restoreShort")} onYes={restore} onClose={onClose}>
      {t("restoreSure")}
    </Ask>
  );
}
