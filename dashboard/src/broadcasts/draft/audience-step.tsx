import type { Filter } from "@tidings/contract/audience/audiences";
import { AudienceField } from "../../audiences/audience-field.tsx";
import type { Form } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "../broadcasts.module.css";
import { texts } from "./texts.ts";
import type { AudienceValue, DraftValues } from "./values.ts";

/** To whom it goes: a saved audience, or a filter for this broadcast only. */
export function AudienceStep({ form, off }: { form: Form<DraftValues>; off: boolean }) {
  const t = useTexts(texts);
  const { audience_id, audience } = form.values.audience;
  return (
    <fieldset className={css.plain} disabled={off}>
      <AudienceField
        label={t("audience")}
        description={t("audienceHint")}
        value={{ audience_id, audience: audience as Filter | undefined }}
        onChange={(chosen) => form.set("audience", chosen as AudienceValue)}
        error={form.faults.audience}
        errorOf={(pointer) => form.errorAt(`/audience${pointer}`)}
      />
    </fieldset>
  );
}
