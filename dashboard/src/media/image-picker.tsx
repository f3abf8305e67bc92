import { Button, FileButton, Modal, UnstyledButton } from "@mantine/core";
import { useEffect, useState } from "react";
import { useList } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { ListSearch } from "../platform/list/list-search.tsx";
import { More, NoMatch } from "../platform/list/more.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { useCloseButton } from "../platform/look/side-drawer.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Picture } from "./grid.tsx";
import css from "./image-field.module.css";
import media from "./media.module.css";
import { texts } from "./texts.ts";
import { UploadList } from "./upload-list.tsx";
import { ACCEPT, type Image, useUploads } from "./uploads.ts";

const PAGE = 24;

interface ImagePickerProps {
  onChoose: (image: Image) => void;
  onClose: () => void;
}

/** Chooses an image of the media library in a dialog. One that is uploaded here is chosen as soon as the service has it. */
export function ImagePicker({ onChoose, onClose }: ImagePickerProps) {
  const t = useTexts(texts);
  const may = mayEdit(useWorkspace());
  const [q, setQ] = useState("");
  const list = useList<Image>("/media", { limit: PAGE, ...(q && { q }) }, { keep: true });
  const uploads = useUploads();
  const uploaded = uploads.busy ? undefined : uploads.list.find(({ image }) => image)?.image;
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once
  useEffect(() => {
    if (uploaded) onChoose(uploaded);
  }, [uploaded]);
  return (
    <Modal opened onClose={onClose} title={t("choose")} size={720} {...useCloseButton()}>
      <search className={media.filters}>
        <ListSearch label={t("search")} value={q} onSearch={setQ} />
        <FileButton accept={ACCEPT} onChange={(file) => file && uploads.add([file])} disabled={!may}>
          {(props) => (
            <Button {...props} disabled={!may} variant="default" leftSection={<Icon name="plus" />}>
              {t("uploadOne")}
            </Button>
          )}
        </FileButton>
      </search>
      <UploadList uploads={uploads} />
      <Answer of={list} loading={<Loading rows={6} height={32} />}>
        {() => {
          if (list.rows.length === 0)
            return q ? (
              <NoMatch onClear={() => setQ("")}>{t("noMatchBody")}</NoMatch>
            ) : (
              <Empty icon="image" title={t("none")}>
                {t(may ? "pickerNone" : "noneViewer")}
              </Empty>
            );
          return (
            <>
              <ul className={css.grid} aria-label={t("images")}>
                {list.rows.map((image) => (
                  <li key={image.id}>
                    <UnstyledButton className={css.choice ?? ""} onClick={() => onChoose(image)}>
                      <span className={media.thumbnail}>
                        <Picture file={image.thumbnail_file} alt="" />
                      </span>
                      <span className={`${media.name} cut`}>{image.name}</span>
                      <span className="quiet">
                        {image.width} × {image.height}
                      </span>
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
              <More list={list} />
            </>
          );
        }}
      </Answer>
    </Modal>
  );
}
