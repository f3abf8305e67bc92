import { TextInput } from "@mantine/core";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { useErrorOf, useProblems } from "../editor/use-problems.ts";
import type { TabProps } from "../tabs.tsx";
import { texts } from "../texts.ts";
import { Goal, Leaving } from "./leaving.tsx";
import css from "./settings.module.css";

/** What holds for the whole campaign. */
export function Settings({ campaign, draft }: TabProps) {
  const t = useTexts(texts);
  const { id } = campaign;
  const { name, goal, exit_when, cancel_on, entry_max_age } = draft.values;
  const errorOf = useErrorOf(useProblems(campaign, draft), null);
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
      <Goal draft={draft} errorOf={errorOf} />
      <Leaving draft={draft} errorOf={errorOf} />
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
      <AsCall
        of={{
          method: "PATCH",
          path: `/api/v1/campaigns/${id}`,
          node: "campaigns.update",
          ids: [id],
          body: { name, goal, exit_when, cancel_on, entry_max_age },
        }}
      />
    </div>
  );
}
