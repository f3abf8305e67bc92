import type { MessageRecalled } from "@tidings/contract/inapp/messages";
import { Button, Group, Menu, Modal } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { queries } from "../../platform/call/queries.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import { type Message, pathOf } from "../message.ts";
import { texts } from "./texts.ts";
import { type User, Users } from "./used-by.tsx";

/** What one can do with a message beside editing it. */
export function Actions({ message }: { message: Message }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [asking, setAsking] = useState<"recall" | "remove">();
  const { id, name } = message;
  const params = { workspace: open.id };
  return (
    <>
      <HistoryLink of={id} name={name} />
      {mayEdit(open) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="down" size={14} />}>
              {t("more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              renderRoot={(props: object) => (
                <Link
                  to="/w/$workspace/in-app-messages/$id"
                  params={{ ...params, id: "new" }}
                  search={{ from: id }}
                  {...props}
                />
              )}
            >
              {t("duplicate")}
            </Menu.Item>
            <Menu.Item onClick={() => setAsking("recall")}>{t("recall")}</Menu.Item>
            <Menu.Item color="red" onClick={() => setAsking("remove")}>
              {t("remove")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asking === "recall" && <Recall message={message} onClose={() => setAsking(undefined)} />}
      {asking === "remove" && <Remove message={message} onClose={() => setAsking(undefined)} />}
    </>
  );
}

interface DoingProps {
  message: Message;
  onClose: () => void;
}

function Recall({ message: { id, name }, onClose }: DoingProps) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const recall = async () => {
    let count = 0;
    // One call takes back a part of what is queued.
    for (let more = true; more; ) {
      const { body } = await call<Static<typeof MessageRecalled>>("POST", `${pathOf(id)}/recall`);
      count += body.recalled;
      more = body.more;
    }
    tell(t("recalled", { count }));
    void queries.invalidateQueries({ queryKey: [workspace, pathOf(id)] });
  };
  return (
    <Ask title={t("recallTitle", { name })} yes={t("recallYes")} bad onYes={recall} onClose={onClose}>
      <p>{t("recallSure")}</p>
    </Ask>
  );
}

function Remove({ message: { id, name, used_by }, onClose }: DoingProps) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const leave = useLeave();
  const [users, setUsers] = useState<readonly User[]>(used_by);
  const remove = async () => {
    try {
      await call("DELETE", pathOf(id));
    } catch (error) {
      // Something began to use it since the page was read.
      if (isRefusal(error, "conflict") && Array.isArray(error.body.used_by)) setUsers(error.body.used_by);
      throw error;
    }
    tell(t("removed"));
    void queries.invalidateQueries({ queryKey: [workspace, "/in-app-messages"] });
    await leave({ to: "/w/$workspace/in-app-messages", params: { workspace } });
  };
  if (users.length > 0)
    return (
      <Modal opened onClose={onClose} title={t("removeTitle", { name })}>
        <p>{t("removeUsed")}</p>
        <Users of={users} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("close")}
          </Button>
        </Group>
      </Modal>
    );
  return (
    <Ask title={t("removeTitle", { name })} yes={t("removeYes")} bad onYes={remove} onClose={onClose}>
      <p>{t("removeSure")}</p>
    </Ask>
  );
}
