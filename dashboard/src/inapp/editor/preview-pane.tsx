import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { InAppDraftPreview } from "@tidings/contract/inapp/messages";
import type { Static } from "typebox";
import { type PreviewContext, usePreviewContext } from "../../content/preview/context.ts";
import { ContextBar } from "../../content/preview/context-bar.tsx";
import { patient } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { Busy, FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { type Drawn, InAppPreview } from "../preview/in-app-preview.tsx";
import { showsOn } from "../rules/match.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import { inputOf, isDrawable, type MessageValues } from "./values.ts";

/** How long nothing must be typed before the service fills the message in. */
const PAUSE_MS = 300;

/** The message as it is typed, drawn for a person on a device. */
export function PreviewPane({ values }: { values: MessageValues }) {
  const t = useTexts(texts);
  const [context, setContext] = usePreviewContext({ device: "phone" });
  const filled = useFilled(values, context);
  const rules = { include: values["screens/include"], exclude: values["screens/exclude"] };
  const { screen } = context;
  return (
    <Section title={t("preview")}>
      <div className={css.group}>
        <ContextBar value={context} onChange={setContext} show={["person", "screen", "locale"]} />
        <InAppPreview message={filled.data ?? asTyped(values)} device={context.device} dark={context.dark} />
        <div className={css.said} role="status">
          {!isDrawable(values) && <p className="quiet">{t("cantDraw")}</p>}
          {isDrawable(values) &&
            filled.data?.left_out.map((part) => (
              <Note key={part} tone="warn">
                {part === "cta" ? t("leftOut_cta") : t("leftOut_image_url")}
              </Note>
            ))}
          {screen && <p className="quiet">{t(showsOn(rules, screen) ? "onScreen" : "notOnScreen", { screen })}</p>}
        </div>
        <Busy of={filled} />
        <FormProblem problem={filled.error ?? undefined} />
      </div>
    </Section>
  );
}

/** The message as it was typed, with its Liquid as text. */
const asTyped = (values: MessageValues): Drawn => ({
  render_type: values.render_type,
  content: { title: values.title || null, body: values.body, image_url: values.image_url || null },
  ctas:
    values["cta/action"] && values["cta/label"]
      ? [{ id: "primary", label: values["cta/label"], action: values["cta/action"] }]
      : [],
});

/** Has the service fill in what is typed. Until it answers, and while something is missing, what it filled in before is shown. */
function useFilled(values: MessageValues, { person, locale }: PreviewContext) {
  const { id: workspace, call } = useWorkspace();
  const { render_type, title, body, image_url, cta } = inputOf(values);
  // Only what is drawn: the rules may be half typed.
  const message = { name: "-", render_type, title, body, image_url, cta };
  const reader = { ...(person && { person_id: person }), ...(locale && { person: { locale } }) };
  const [asked] = useDebouncedValue(JSON.stringify({ message, ...reader }), PAUSE_MS);
  return useQuery({
    queryKey: [workspace, "/in-app-messages/preview-draft", asked],
    queryFn: async ({ signal }) =>
      (
        await call<Static<typeof InAppDraftPreview>>("POST", "/in-app-messages/preview-draft", {
          body: JSON.parse(asked),
          signal,
        })
      ).body,
    enabled: isDrawable(values),
    ...patient,
    placeholderData: keepPreviousData,
    // What was typed before is not shown again.
    gcTime: 60_000,
  });
}
