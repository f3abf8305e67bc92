import type { Read } from "../../platform/call/call.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { type Broadcast, pathOf } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { Review } from "../review/review.tsx";
import { Editor } from "./editor.tsx";
import { texts } from "./texts.ts";
import { type DraftValues, fieldOf, patchOf, type Step, steps, valuesOf } from "./values.ts";

/** A broadcast that its author may still change: a draft, or one that waits for its time. */
export function Draft({ version, step }: { version: Read<Broadcast>; step: Step }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const off = !mayEdit(useWorkspace());
  const { id, channel } = version.body;
  const path = pathOf(id);
  const form = useEdit({
    path,
    version,
    valuesOf,
    bodyOf: patchOf,
    fieldOf,
    onSaved: () => tell(t("saved")),
  });
  const fields = Object.keys(form.values) as (keyof DraftValues)[];
  return (
    <>
      <form onSubmit={form.onSubmit}>
        {off && <Note tone="warn">{say("onlyRead")}</Note>}
        <Scheduled broadcast={version.body} />
        <Editor
          form={form}
          channel={channel}
          step={step}
          off={off}
          review={<Review version={version} unsaved={form.dirty} />}
        />
        <SaveBar form={form} labels={labelsOf(t)} say={(name, value) => inWords(name, value, t)} />
      </form>
      {steps.indexOf(step) < steps.length - 1 && (
        <AsCall
          of={{
            method: "PATCH",
            path: `/api/v1${path}`,
            body: patchOf(form.values, fields),
            node: "broadcasts.update",
            ids: [id],
          }}
        />
      )}
    </>
  );
}

/** When it will be sent, where that is decided. */
function Scheduled({ broadcast: { status, send_at: at, local_time: local, timezone } }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const format = useFormat();
  if (status !== "scheduled" || at === null) return null;
  return (
    <div className={css.scheduled}>
      <Note tone="good">
        {local
          ? t("scheduledLocal", { time: format.instant(at, timezone ?? "UTC") })
          : t("scheduledFor", { time: format.instant(at), ago: format.ago(at) })}{" "}
        {t("scheduledHint")}
      </Note>
    </div>
  );
}

const labelsOf = (t: Say<typeof texts>) => ({
  name: t("name"),
  audience: t("audience"),
  editions: t("editions"),
  rate_per_second: t("speed"),
  holdout_percent: t("holdout"),
  topic_id: t("topic"),
  tracking: t("tracking"),
  subscription_preference: t("preference"),
  when_held: t("whenHeld"),
});

/** What two people changed at the same time, in a few words. */
function inWords(name: keyof DraftValues, value: unknown, t: Say<typeof texts>): string | undefined {
  if (name === "audience") {
    const { audience_id, audience } = value as DraftValues["audience"];
    return audience_id ?? (audience && t("ownFilter"));
  }
  if (name === "editions") {
    const { variants, content, message_id, locales } = value as DraftValues["editions"];
    const one = content ?? variants?.[0]?.content;
    const said = one?.subject ?? one?.title ?? one?.body ?? one?.template_id ?? message_id;
    const more = Object.keys(locales ?? {}).length;
    return [
      typeof said === "string" && `“${said.slice(0, 60)}”`,
      variants && t("variantsIn", { count: variants.length }),
      more > 0 && t("languagesIn", { count: more }),
    ]
      .filter(Boolean)
      .join(" · ");
  }
  if (name === "tracking") {
    const { opens, clicks } = value as DraftValues["tracking"];
    return [opens && t("opens"), clicks && t("clicks")].filter(Boolean).join(", ") || t("nothing");
  }
  return undefined;
}
