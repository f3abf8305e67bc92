import type { SuppressionList } from "@tidings/contract/audience/subscriptions";
import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Static } from "typebox";
import { queries, useList } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { ImportFile } from "../../platform/import/import-file.tsx";
import { LastImport } from "../../platform/import/last-import.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Lines } from "../../platform/look/parts.tsx";
import { Rows } from "../../platform/rows.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "../subscriptions.module.css";
import { AddAddress } from "./add-address.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { RemoveAddress } from "./remove-address.tsx";
import { texts } from "./texts.ts";

export type Suppression = Static<typeof SuppressionList>["data"][number];
const route = getRouteApi("/w/$workspace/suppressions");
const EXAMPLE = "address,channel,reason\nada@example.com,email,complaint\n+4915112345678,sms,stop";

/** The addresses that get nothing, and why. */
export function Suppressions() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<Suppression>("/suppressions", { ...filters });
  const [dialog, setDialog] = useState<"add" | "import">();
  const [removing, setRemoving] = useState<Suppression>();
  const may = mayEdit(open);
  const filtered = Object.keys(filters).length > 0;
  const close = () => setDialog(undefined);
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, "/suppressions"] });
  return (
    <Page
      title={t("suppressions")}
      lead={may ? t("lead") : `${t("lead")} ${t("onlyEditors")}`}
      wide
      actions={
        <>
          <Button
            variant="default"
            component="a"
            className={css.export ?? ""}
            href={`/api/v1/suppressions/export?workspace=${open.id}`}
            download="suppressions.csv"
          >
            {t("export")}
          </Button>
          <Button variant="default" disabled={!may} onClick={() => setDialog("import")}>
            {t("import")}
          </Button>
          <Button disabled={!may} onClick={() => setDialog("add")} leftSection={<Icon name="plus" />}>
            {t("add")}
          </Button>
        </>
      }
    >
      <LastImport kind="suppressions" onProgress={again} />
      <FilterBar filters={filters} onChange={(search) => void navigate({ search, replace: true })} />
      <Answer of={list} loading={<Loading rows={10} />}>
        {() =>
          list.rows.length > 0 ? (
            <Rows
              rows={list.rows}
              list={list}
              idOf={({ channel, address, created_at }) => `${channel} ${address ?? created_at}`}
              label={t("suppressions")}
              height={56}
            >
              {(row) => <Row row={row} {...(may && { onRemove: () => setRemoving(row) })} />}
            </Rows>
          ) : (
            <Empty
              icon={filtered ? "search" : "mail"}
              title={t(filtered ? "noMatch" : "none")}
              action={
                filtered && (
                  <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                    {t("clear")}
                  </Button>
                )
              }
            >
              {t(filtered ? "noMatchBody" : "noneBody")}
            </Empty>
          )
        }
      </Answer>
      {dialog === "add" && <AddAddress onClose={close} onAdded={again} />}
      {dialog === "import" && (
        <ImportFile
          title={t("importTitle")}
          lead={t("importLead")}
          example={EXAMPLE}
          path="/suppressions/import"
          onClose={close}
        />
      )}
      {removing && <RemoveAddress row={removing} onClose={() => setRemoving(undefined)} onRemoved={again} />}
    </Page>
  );
}

function Row({ row, onRemove }: { row: Suppression; onRemove?: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { channel, address, reason, source, created_at } = row;
  return (
    <div className={css.row}>
      <Lines>
        <span className="cut">{address ?? <span className="quiet">{t("erased")}</span>}</span>
        <span className="cut quiet">{[t(channel), t("source", { source })].join(" · ")}</span>
      </Lines>
      <Badge tone={reason === "complaint" || reason === "hard_bounce" ? "bad" : "plain"}>{t(reason)}</Badge>
      <time className={`${css.since} quiet`} dateTime={created_at} title={format.instant(created_at)}>
        {format.ago(created_at)}
      </time>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        disabled={!onRemove || address === null}
        onClick={onRemove}
        aria-label={`${t("remove")}: ${address ?? t("erased")}`}
        title={address === null ? t("erasedHint") : undefined}
      >
        <Icon name="close" size={14} />
      </Button>
    </div>
  );
}
