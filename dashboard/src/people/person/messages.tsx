import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Delivery } from "../../activity/delivery.ts";
import { DeliveryRow } from "../../activity/delivery-row.tsx";
import { useList } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Rows } from "../../platform/rows.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { texts } from "../texts.ts";

const NARROW = "(max-width: 720px)";

/** The messages of a person, newest first; each opens in its drawer among the deliveries of the person. */
export function Messages({ person }: { person: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const list = useList<Delivery>("/deliveries", { person_id: person });
  const search = useMemo(() => ({ person_id: person }), [person]);
  const height = window.matchMedia(NARROW).matches ? 64 : 44;
  return (
    <Answer of={list} loading={<Loading rows={6} />}>
      {() =>
        list.rows.length === 0 ? (
          <Empty icon="send" title={t("noMessages")}>
            {t("noMessagesBody")}
          </Empty>
        ) : (
          <>
            <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={t("tab_messages")} height={height}>
              {(delivery) => <DeliveryRow delivery={delivery} search={search} />}
            </Rows>
            <Button
              mt="sm"
              size="xs"
              variant="default"
              renderRoot={(props) => (
                <Link to="/w/$workspace/deliveries" params={{ workspace }} search={search} {...props} />
              )}
            >
              {t("filterMessages")}
            </Button>
          </>
        )
      }
    </Answer>
  );
}
