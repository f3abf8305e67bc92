import { TextInput } from "@mantine/core";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import type { Campaign } from "../campaign-shape.ts";
import type { ChosenEdit } from "../editor/use-editor.ts";
import { renamed } from "../model/ids.ts";
import { stepKey } from "../model/items.ts";
import { stepById } from "../model/tree.ts";
import { texts } from "./texts.ts";

const ID = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;

/** The id of a step. Until the campaign was published it can be changed; what names it changes along. */
export function IdField({ step, editor, campaign }: { step: Step; editor: ChosenEdit; campaign: Campaign }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(step.id);
  const { draft } = editor;
  const isPublished = campaign.published !== null && stepById(campaign.steps, step.id) !== undefined;
  const isTaken = typed !== step.id && stepById(draft.values.steps, typed) !== undefined;
  const error = ID.test(typed) ? (isTaken ? t("idTaken") : undefined) : t("idWrong");
  const take = () => {
    if (error !== undefined) return setTyped(step.id);
    if (typed === step.id) return;
    const { steps, exit_when } = renamed(draft.values, step.id, typed);
    draft.change({ steps, exit_when });
    editor.choose(stepKey(typed));
  };
  return (
    <TextInput
      label={t("id")}
      description={t(isPublished ? "idPublished" : "idHint")}
      value={typed}
      error={error}
      disabled={draft.off || isPublished}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}
