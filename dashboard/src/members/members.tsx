import type { MemberList, Role } from "@tidings/contract/members";
import { Button, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../platform/ask.tsx";
import { queries, useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { HistoryLink } from "../platform/history-link.tsx";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge, Item, Lines, List } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { tell, tellFault } from "../platform/states/toasts.tsx";
import { Page } from "../platform/trail.tsx";
import { Invite } from "./invite.tsx";
import css from "./members.module.css";
import { ProviderSection } from "./oidc/provider.tsx";
import { useSession } from "./session.ts";
import { texts } from "./texts.ts";

type Member = Static<typeof MemberList>["data"][number];
const roleNames: Role[] = ["owner", "editor", "viewer"];

/** Who may open the workspace, and as what. */
export function Members() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const list = useList<Member>("/members", { limit: 200 });
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const owner = open.role === "owner";
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, "/members"] });
  const invite = (
    <Button disabled={!owner} onClick={() => setInviting(true)} leftSection={<Icon name="plus" />}>
      {t("invite")}
    </Button>
  );
  return (
    <Page
      title={t("members")}
      lead={owner ? t("membersLead") : `${t("membersLead")} ${t("onlyOwners")}`}
      actions={invite}
    >
      <Answer of={list} loading={<Loading rows={4} height={32} />}>
        {() => (
          <List>
            {list.rows.map((member) => (
              <MemberRow key={member.id} member={member} onRemove={() => setRemoving(member)} onChanged={again} />
            ))}
          </List>
        )}
      </Answer>
      <ProviderSection />
      {inviting && <Invite onClose={() => setInviting(false)} onInvited={again} />}
      {removing && (
        <Ask
          title={t("remove")}
          yes={t("remove")}
          bad
          onClose={() => setRemoving(undefined)}
          onYes={async () => {
            await open.call("DELETE", `/members/${removing.id}`, { headers: { "if-match": removing.etag } });
            tell(t("removed"));
            again();
          }}
        >
          {t("removeSure", { email: removing.email })}
        </Ask>
      )}
    </Page>
  );
}

interface MemberRowProps {
  member: Member;
  onRemove: () => void;
  onChanged: () => void;
}

function MemberRow({ member, onRemove, onChanged }: MemberRowProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const open = useWorkspace();
  const me = useSession().data?.member.id === member.id;
  const change = useMutation({
    mutationFn: (role: string) =>
      open.call("PATCH", `/members/${member.id}`, { body: { role }, headers: { "if-match": member.etag } }),
    onSuccess: () => {
      tell(t("roleChanged"));
      onChanged();
      if (me) void queries.invalidateQueries({ queryKey: ["session"] });
    },
    onError: (error) => {
      tellFault(error);
      // Somebody else was faster: what they made of it is shown.
      onChanged();
    },
  });
  const owner = open.role === "owner";
  return (
    <Item wrap>
      <Lines>
        <span className="cut">
          {member.name ?? member.email} {me && <span className="quiet">({t("you")})</span>}
        </span>
        <span className="cut quiet">
          {member.status === "invited" && member.invitation_expires_at
            ? t("pending", { time: format.date(member.invitation_expires_at) })
            : member.name && member.email}
        </span>
      </Lines>
      {member.second_factor && (
        <span className={css.factor}>
          <Badge tone="good">{t("secondFactor")}</Badge>
        </span>
      )}
      <HistoryLink of={member.id} name={member.email} />
      <NativeSelect
        aria-label={`${t("role")}: ${member.email}`}
        className={css.role ?? ""}
        disabled={!owner || change.isPending}
        value={member.role}
        onChange={(event) => change.mutate(event.currentTarget.value)}
        data={roleNames.map((value) => ({ value, label: t(value) }))}
      />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        disabled={!owner}
        onClick={onRemove}
        aria-label={`${t("remove")}: ${member.email}`}
      >
        <Icon name="close" size={14} />
      </Button>
    </Item>
  );
}
