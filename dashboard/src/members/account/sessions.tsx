import type { SessionList } from "@tidings/contract/members";
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import { callSignedIn } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import { browserOf } from "./browser.ts";
import { texts } from "../texts.ts";

/** Where the member is signed in; each can be ended. */
export function Sessions() {
  const t = useTexts(texts);
  const format = useFormat();
  const read = useQuery({
    queryKey: ["sessions"],
    queryFn: () => callSignedIn<Static<typeof SessionList>>("GET", "/sessions"),
  });
  const end = useMutation({
    mutationFn: (id: string) => callSignedIn("DELETE", `/sessions/${id}`),
    onSuccess: () => {
      tell(t("sessionEnded"));
      void queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: tellFault,
  });
  return (
    <Section title={t("sessions")}>
      <Answer of={read} loading={<Loading rows={2} height={32} />}>
        {({ data }) => (
          <List>
            {data.map(({ id, agent, address, used_at, current }) => (
              <Item key={id} wrap>
                <Lines>
                  <span className="cut" title={agent ?? undefined}>
                    {browserOf(agent) ?? agent ?? id}
                  </span>
                  <span className="cut quiet">
                    {[address, t("usedAt", { time: format.ago(used_at) })].filter(Boolean).join(" · ")}
                  </span>
                </Lines>
                {current ? (
                  <Badge tone="good">{t("current")}</Badge>
                ) : (
                  <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate(id)}>
                    {t("end")}
                  </Button>
                )}
              </Item>
            ))}
          </List>
        )}
      </Answer>
    </Section>
  );
}
