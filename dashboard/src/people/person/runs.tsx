import type { PersonRunList } from "@tidings/contract/campaigns/runs";
import { UnstyledButton } from "@mantine/core";
import type { Static } from "typebox";
import { useList } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { More } from "../../platform/list/more.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { Lines, List } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import css from "../people.module.css";
import { RunActions } from "../runs/run-actions.tsx";
import { RunHistory } from "../runs/run-history.tsx";
import { RunBadge, RunPlace } from "../runs/run-state.tsx";
import { runTexts } from "../runs/run-texts.ts";

type PersonRun = Static<typeof PersonRunList>["data"][number];
const AGAIN_MS = 15_000;

interface RunsProps {
  path: string;
  /** The run whose history is open. */
  open: string | undefined;
  onOpen: (run: string | undefined) => void;
}

/** The campaigns that the person went through or is in, each with its history. */
export function Runs({ path, open, onOpen }: RunsProps) {
  const t = useTexts(runTexts);
  const list = useList<PersonRun>(`${path}/runs`, {}, { everyMs: AGAIN_MS });
  return (
    <Answer of={list} loading={<Loading rows={4} />}>
      {() =>
        list.rows.length === 0 ? (
          <Empty icon="right" title={t("none")}>
            {t("noneBody")}
          </Empty>
        ) : (
          <>
            <List>
              {list.rows.map((run) => (
                <li key={run.id} className={css.run}>
                  <RunHead run={run} opened={run.id === open} onOpen={onOpen} />
                  {run.id === open && (
                    <div className={css.runBody}>
                      <RunHistory run={run}>
                        <RunActions
                          run={run}
                          campaign={run.campaign_name}
                          shows={[`${path}/runs`, `${path}/timeline`]}
                        />
                      </RunHistory>
                    </div>
                  )}
                </li>
              ))}
            </List>
            <More list={list} text={t("older")} />
          </>
        )
      }
    </Answer>
  );
}

function RunHead({ run, opened, onOpen }: { run: PersonRun; opened: boolean; onOpen: RunsProps["onOpen"] }) {
  return (
    <UnstyledButton
      className={css.runHead ?? ""}
      aria-expanded={opened}
      onClick={() => onOpen(opened ? undefined : run.id)}
    >
      <span className={css.fold} data-open={opened}>
        <Icon name="right" size={14} />
      </span>
      <Lines>
        <span>{run.campaign_name}</span>
        <span className="quiet">
          <RunPlace run={run} />
        </span>
      </Lines>
      <RunBadge status={run.status} />
    </UnstyledButton>
  );
}
