import type { RecoveryCodes as Codes, SecondFactor as SecondFactorShape } from "@tidings/contract/members";
import { Anchor, Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { callSignedIn } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { Secret } from "../../platform/states/shown-once.tsx";
import { tellFault } from "../../platform/states/toasts.tsx";
import css from "../members.module.css";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { texts } from "../texts.ts";

/** The codes of an authenticator application, beside the password. */
export function SecondFactor({ on }: { on: boolean }) {
  const t = useTexts(texts);
  const [made, setMade] = useState<Static<typeof SecondFactorShape>>();
  const [removing, setRemoving] = useState(false);
  const begin = async () => {
    try {
      setMade(await callSignedIn("POST", "/second-factor"));
    } catch (error) {
      tellFault(error as Error);
    }
  };
  return (
    <Section title={t("secondTitle")}>
      <p className="quiet">{on ? t("secondOn") : t("secondOff")}</p>
      <Button variant="default" onClick={() => (on ? setRemoving(true) : void begin())}>
        {on ? t("turnOff") : t("turnOn")}
      </Button>
      {made && <TurnOn made={made} onClose={() => setMade(undefined)} />}
      {removing && <TurnOff onClose={() => setRemoving(false)} />}
    </Section>
  );
}

const changed = () => void queries.invalidateQueries({ queryKey: ["session"] });

function TurnOn({ made, onClose }: { made: Static<typeof SecondFactorShape>; onClose: () => void }) {
  const t = useTexts(texts);
  const [codes, setCodes] = useState<string[]>();
  const form = useForm({ code: "" }, async ({ code }) => {
    const body = { code: code.replaceAll(/\s/g, "") };
    setCodes((await callSignedIn<Static<typeof Codes>>("POST", "/second-factor/confirm", { body })).recovery_codes);
    changed();
  });
  return (
    <Modal opened onClose={onClose} title={codes ? t("recovery") : t("secondTitle")} closeOnClickOutside={false}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <form onSubmit={form.onSubmit} className={css.fields}>
          <p>{t("secretLead")}</p>
          <QrCode value={made.uri} label={t("qr")} />
          <p className="quiet">{t("orType")}</p>
          <Secret name={t("secondTitle")} value={made.secret} />
          <Anchor href={made.uri} size="sm">
            {t("openApp")}
          </Anchor>
          <TextInput
            label={t("code")}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            data-autofocus
            {...form.text("code")}
          />
          <FormProblem problem={form.problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" loading={form.busy}>
              {t("confirm")}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useForm({ password: "" }, async (body) => {
    await callSignedIn("DELETE", "/second-factor", { body });
    changed();
    onClose();
  });
  return (
    <FormDialog title={t("turnOff")} form={form} yes={t("turnOff")} bad onClose={onClose}>
      <p>{t("turnOffBody")}</p>
      <Password label={t("password")} autoComplete="current-password" data-autofocus {...form.text("password")} />
    </FormDialog>
  );
}
