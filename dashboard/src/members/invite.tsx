import type { MemberInvited, Role } from "@tidings/contract/members";
import { Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { useWorkspace } from "../platform/call/workspace.ts";
import { FormDialog } from "../platform/form/dialog.tsx";
import { useForm } from "../platform/form/form.ts";
import { useTexts } from "../platform/language/texts.ts";
import { ShownOnce } from "../platform/states/shown-once.tsx";
import { texts } from "./texts.ts";

const roles: Role[] = ["viewer", "editor", "owner"];

/** Invites by address; then shows the link once, for services that send no mail. */
export function Invite({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [invited, setInvited] = useState<Static<typeof MemberInvited>>();
  const form = useForm({ email: "", role: "editor" as Role }, async (body) => {
    setInvited((await call<Static<typeof MemberInvited>>("POST", "/members", { body })).body);
    onInvited();
  });
  if (invited)
    return (
      <ShownOnce
        title={t("invitedTitle", { email: invited.email })}
        lead={
          <>
            {t("invitedOnce")} {invited.mailed && t("invitedMailed")}
          </>
        }
        values={[{ name: t("invite"), value: invited.invite_url }]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog title={t("inviteTitle")} form={form} yes={t("invite")} onClose={onClose}>
      <TextInput label={t("email")} type="email" required withAsterisk={false} data-autofocus {...form.text("email")} />
      <Radio.Group
        label={t("role")}
        value={form.values.role}
        onChange={(value) => form.set("role", value as Role)}
        error={form.errorOf("role")}
      >
        <Stack gap={8} mt="xs">
          {roles.map((role) => (
            <Radio key={role} value={role} label={t(role)} description={t(`${role}Hint`)} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
