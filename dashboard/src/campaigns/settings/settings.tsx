import { TextInput } from "@mantine/core";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import type { TabProps } from "../tabs.tsx";
import { texts } from "../texts.ts";
import css from "./settings.module.css";

/** What holds for the whole campaign. */
export function Settings({ campaign: { id }, draft }: TabProps) {
  const t = useTexts(texts);
  return (
    <div className={css.settings}>
      <TextInput
        label={t("name")}
        name="name"
        value={draft.values.name}
        disabled={draft.off}
        error={draft.form.errorOf("name")}
        onChange={({ currentTarget }) => draft.change({ name: currentTarget.value }, "name")}
      />
      <Section title={t("about")}>
        <Facts
          of={[
            [
              t("id"),
              <>
                <code className="cut">{id}</code>
                <Copy value={id} what={t("id")} />
              </>,
            ],
          ]}
        />
      </Section>
      <AsCall of={{ method: "GET", path: `/api/v1/campaigns/${id}`, node: "campaigns.get", ids: [id] }} />
    </div>
  );
}
