import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ContextBar } from "../../content/preview/context-bar.tsx";
import { usePreviewContext } from "../../content/preview/context.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { type Broadcast, pathOf } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { type ChosenEdition, EditionChoice, editionBody } from "./edition-choice.tsx";
import { type Rendered, RenderedMessage } from "./rendered-message.tsx";
import { texts } from "./texts.ts";

interface PreviewProps {
  broadcast: Broadcast;
  /** The version that is shown. */
  etag: string | undefined;
  /** A person_id; empty where nobody is chosen. */
  person: string;
  onPerson: (person: string) => void;
}

/** How it comes out for a person, in any variant and language. */
export function Preview({ broadcast, etag, person, onPerson }: PreviewProps) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const [edition, setEdition] = useState<ChosenEdition>({});
  const [looks, look] = usePreviewContext();
  const body = { person_id: person, ...editionBody(edition) };
  const path = `${pathOf(broadcast.id)}/preview`;
  const read = useQuery({
    queryKey: [workspace, `/preview/${broadcast.id}`, etag, body],
    queryFn: async ({ signal }) => (await call<Rendered>("POST", path, { body, signal })).body,
    enabled: person !== "",
    refetchOnWindowFocus: false,
  });
  return (
    <Section title={t("preview")}>
      <div className={css.fields}>
        <ContextBar
          value={{ ...looks, person }}
          onChange={(next) => {
            look(next);
            if (next.person !== person) onPerson(next.person);
          }}
          show={["person"]}
        />
        <EditionChoice broadcast={broadcast} value={edition} onChange={setEdition} />
      </div>
      {person === "" ? (
        <p className="quiet">{t("personHint")}</p>
      ) : (
        <Answer of={read} loading={<Loading rows={5} />}>
          {(rendered) => (
            <>
              {rendered.held_out && <Note tone="warn">{t("heldOut")}</Note>}
              <RenderedMessage channel={broadcast.channel} of={rendered} device={looks.device} dark={looks.dark} />
            </>
          )}
        </Answer>
      )}
    </Section>
  );
}
