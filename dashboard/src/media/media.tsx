import { Button, FileButton, Select } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useList } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { AsCall } from "../platform/code/as-call.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { ListSearch } from "../platform/list/list-search.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { Grid } from "./grid.tsx";
import { ImageDrawer } from "./image-drawer.tsx";
import css from "./media.module.css";
import { SORTS, type MediaSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { UploadList } from "./upload-list.tsx";
import { ACCEPT, type Image, type Uploads, useUploads } from "./uploads.ts";

const route = getRouteApi("/w/$workspace/media");
const PAGE = 48;

/** The images of the workspace: uploaded by a button, by dropping and by pasting. */
export function Media() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const may = mayEdit(open);
  const { q, sort, open: id } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (search: MediaSearch) => void navigate({ search, replace: true });
  const list = useList<Image>("/media", { limit: PAGE, ...(q && { q }), ...(sort && { sort }) }, { keep: true });
  const uploads = useUploads();
  const { over, ...drop } = useDrop(may ? uploads.add : undefined);
  return (
    <section className={css.room} data-over={over} aria-label={t("media")} {...drop}>
      <Page
        title={t("media")}
        lead={may ? t("lead") : `${t("lead")} ${t("mayNot")}`}
        actions={<UploadButton uploads={uploads} disabled={!may} />}
        wide
      >
        {over && <p className={css.drop}>{t("dropHere")}</p>}
        <UploadList uploads={uploads} />
        <Filters q={q ?? ""} sort={sort} onChange={(more) => go({ ...(q && { q }), ...(sort && { sort }), ...more })} />
        <Answer of={list} loading={<Loading rows={8} height={32} />}>
          {() => {
            if (list.rows.length > 0) return <Grid list={list} />;
            if (q)
              return (
                <Empty
                  icon="search"
                  title={t("noMatch")}
                  action={
                    <Button variant="default" onClick={() => go(sort ? { sort } : {})}>
                      {t("clear")}
                    </Button>
                  }
                >
                  {t("noMatchBody")}
                </Empty>
              );
            return (
              <Empty icon="image" title={t("none")}>
                {t(may ? "noneBody" : "noneViewer")}
              </Empty>
            );
          }}
        </Answer>
        <AsCall of={{ method: "GET", path: "/api/v1/media", node: "media.list", query: { q, sort } }} />
        <AsCall
          title={t("uploadAsCall")}
          of={{ method: "POST", path: "/api/v1/media", node: "media.upload", file: "logo.png" }}
        />
      </Page>
      <ImageDrawer id={id} onClose={() => void navigate({ search: ({ open: _, ...rest }) => rest })} />
    </section>
  );
}

function UploadButton({ uploads, disabled }: { uploads: Uploads; disabled: boolean }) {
  const t = useTexts(texts);
  // Choosing the same file again must be a choice, too.
  const reset = useRef<() => void>(null);
  const chosen = (files: File[]) => {
    uploads.add(files);
    reset.current?.();
  };
  return (
    <FileButton multiple accept={ACCEPT} onChange={chosen} resetRef={reset} disabled={disabled}>
      {(props) => (
        <Button {...props} disabled={disabled} leftSection={<Icon name="plus" />}>
          {t("upload")}
        </Button>
      )}
    </FileButton>
  );
}

interface FiltersProps {
  q: string;
  sort: MediaSearch["sort"];
  onChange: (search: MediaSearch) => void;
}

function Filters({ q, sort, onChange }: FiltersProps) {
  const t = useTexts(texts);
  return (
    <search className={css.filters}>
      <ListSearch label={t("search")} value={q} onSearch={(text) => onChange({ q: text || undefined })} />
      <Select
        aria-label={t("sort")}
        data={SORTS.map((value) => ({ value, label: t(`sort_${value}`) }))}
        value={sort ?? SORTS[0]}
        allowDeselect={false}
        onChange={(value) => onChange({ sort: SORTS.find((one) => one === value && one !== SORTS[0]) })}
      />
    </search>
  );
}

/** Takes files that are dropped on the room, or pasted while it is open. */
function useDrop(add: ((files: Iterable<File>) => void) | undefined) {
  const [over, setOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `add` only sets state
  useEffect(() => {
    if (!add) return;
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) add(files);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [add === undefined]);
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    over: over && add !== undefined,
    onDragOver(event: DragEvent) {
      if (!carriesFiles(event)) return;
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      setOver(true);
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(false);
      add?.(event.dataTransfer.files);
    },
  };
}
