import type { PasskeyList } from "@tidings/contract/members";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { callSignedIn } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { Password } from "../../platform/form/password.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { knowsPasskeys, makePasskey, NoPasskey } from "../door/passkey.ts";
import { browserOf } from "./browser.ts";
import { passkeyTexts } from "./passkey-texts.ts";

type Passkey = Static<typeof PasskeyList>["data"][number];
const KEY = ["passkeys"];
const again = () => void queries.invalidateQueries({ queryKey: KEY });

/** The passkeys of the account: each signs in alone. */
export function Passkeys() {
  const t = useTexts(passkeyTexts);
  const format = useFormat();
  const read = useQuery({
    queryKey: KEY,
    queryFn: () => callSignedIn<Static<typeof PasskeyList>>("GET", "/passkeys"),
  });
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const known = knowsPasskeys();
  const add = (
    <Button variant="default" disabled={!known} onClick={() => setAdding(true)} leftSection={<Icon name="plus" />}>
      {t("add")}
    </Button>
  );
  return (
    <Section title={t("passkeys")} aside={add}>
      <p className="quiet">{t(known ? "lead" : "unknown")}</p>
      <Answer of={read} loading={<Loading rows={1} height={32} />}>
        {({ data }) =>
          data.length > 0 && (
            <List>
              {data.map((passkey) => (
                <Item key={passkey.id}>
                  <Lines>
                    <span className="cut">{passkey.name}</span>
                    <span className="cut quiet">
                      {t("made", { time: format.ago(passkey.created_at) })}
                      {" · "}
                      {passkey.used_at ? t("used", { time: format.ago(passkey.used_at) }) : t("unused")}
                    </span>
                  </Lines>
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => setRemoving(passkey)}
                    aria-label={`${t("remove")}: ${passkey.name}`}
                  >
                    {t("remove")} …
                  </Button>
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && (
        <Ask
          title={t("removeTitle", { name: removing.name })}
          yes={t("remove")}
          bad
          onClose={() => setRemoving(undefined)}
          onYes={async () => {
            await callSignedIn("DELETE", `/passkeys/${removing.id}`);
            tell(t("removed"));
            again();
          }}
        >
          {t("removeSure")}
        </Ask>
      )}
    </Section>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useTexts(passkeyTexts);
  // Asked only where the service asks: a session that has just begun proves who it is.
  const [asked, setAsked] = useState(false);
  const form = useForm({ name: browserOf(navigator.userAgent) ?? "", password: "" }, async ({ name, password }) => {
    try {
      await makePasskey(name, password);
    } catch (error) {
      if (isRefusal(error, "fresh_sign_in_required")) setAsked(true);
      throw error instanceof NoPasskey ? new Error(t("notMade")) : error;
    }
    tell(t("added"));
    again();
    onClose();
  });
  return (
    <FormDialog title={t("add")} form={form} yes={t("goOn")} onClose={onClose}>
      <p>{t("addLead")}</p>
      <TextInput label={t("name")} description={t("nameHint")} data-autofocus {...form.text("name")} />
      {asked && (
        <Password
          label={t("password")}
          description={t("passwordHint")}
          autoComplete="current-password"
          {...form.text("password")}
        />
      )}
    </FormDialog>
  );
}
