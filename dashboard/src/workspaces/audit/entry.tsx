import type { AuditEntry } from "@tidings/contract/audit";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Static } from "typebox";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { OpeningRow } from "../../platform/list/opening-row.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import css from "./audit.module.css";
import { Difference, fieldOf } from "./difference.tsx";
import { useNames } from "./names.ts";
import type { Change } from "./search.ts";
import { texts } from "./texts.ts";

type AuditRow = Static<typeof AuditEntry>;
interface EntryProps {
  entry: AuditRow;
  open: boolean;
  onChange: (change: Change) => void;
}

/** One change: what, by whom and when. It opens to what was before and after. */
export function Entry({ entry, open, onChange }: EntryProps) {
  const t = useTexts(texts);
  const names = useNames();
  const { resource, actor, changes, changes_left_out: leftOut } = entry;
  const fields = changes.length + leftOut;
  return (
    <OpeningRow
      what={
        <>
          {names.typeOf(resource.type)} {resource.name && <strong>{resource.name}</strong>} {names.verbOf(entry.action)}
        </>
      }
      more={
        <>
          {actor.name} ({t(`by_${actor.type}`)})
          {fields > 0 && ` · ${fields === 1 ? fieldOf(changes[0]?.field ?? "") : t("fields", { count: fields })}`}
        </>
      }
      at={entry.at}
      open={open}
      onOpen={() => onChange({ open: open ? undefined : entry.id })}
    >
      <Body entry={entry} onChange={onChange} />
    </OpeningRow>
  );
}

function Body({ entry, onChange }: { entry: AuditRow; onChange: (change: Change) => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { resource, actor, changes, changes_left_out: leftOut } = entry;
  const hashed = resource.type === "person" || resource.type === "suppression";
  return (
    <>
      {changes.length === 0 && <p className="quiet">{t("noFields")}</p>}
      {hashed && <p className="quiet">{t("hashed")}</p>}
      <dl className={css.changes}>
        {changes.map((difference) => (
          <Difference key={difference.field} {...difference} />
        ))}
      </dl>
      {leftOut > 0 && <p className="quiet">{t("leftOut", { count: leftOut })}</p>}
      <div className={css.foot}>
        <OpenResource resource={resource}>{t("open")}</OpenResource>
        <button type="button" onClick={() => onChange({ resource: resource.id, person_id: undefined })}>
          {t("sameResource")}
        </button>
        <button type="button" onClick={() => onChange({ action: entry.action })}>
          {t("sameAction")}
        </button>
        <button type="button" onClick={() => onChange({ actor: actor.id ?? actor.type })}>
          {t("sameActor", { name: actor.name })}
        </button>
        <span className="quiet numbers">{format.instant(entry.at)}</span>
        <span className="quiet">
          {t("id")} <code>{resource.id}</code>
          <Copy value={resource.id} what={t("id")} />
        </span>
        {entry.request_id && (
          <span className="quiet">
            {t("request")} <code>{entry.request_id}</code>
            <Copy value={entry.request_id} what={t("request")} />
          </span>
        )}
      </div>
    </>
  );
}

/** The rooms in which things of a type are. */
const ROOMS: Partial<Record<string, LinkProps["to"]>> = {
  workspace: "/w/$workspace/settings",
  api_key: "/w/$workspace/keys",
  provider: "/w/$workspace/channels",
  signing_secret: "/w/$workspace/identity",
  identity_provider: "/w/$workspace/identity",
  member: "/w/$workspace/members",
};

function OpenResource({ resource: { type, id }, children }: { resource: AuditRow["resource"]; children: ReactNode }) {
  const { id: workspace } = useWorkspace();
  if (type === "delivery")
    return (
      <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: id }}>
        {children}
      </Link>
    );
  if (type === "webhook")
    return (
      <Link to="/w/$workspace/webhooks/$webhook" params={{ workspace, webhook: id }}>
        {children}
      </Link>
    );
  if (type === "export_destination")
    return (
      <Link to="/w/$workspace/export-destinations/$destination" params={{ workspace, destination: id }}>
        {children}
      </Link>
    );
  const to = ROOMS[type];
  return to ? (
    <Link to={to as "/w/$workspace/keys"} params={{ workspace }}>
      {children}
    </Link>
  ) : null;
}
