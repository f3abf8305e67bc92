import { useQuery } from "@tanstack/react-query";
import type { CampaignPreflight } from "@tidings/contract/campaigns/preflight";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { List, Note } from "../../../platform/look/parts.tsx";
import { Answer, Loading } from "../../../platform/states/states.tsx";
import { Reason, Samples } from "../../../sendings/reason.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { useStepNames } from "../steps.ts";
import { texts } from "./preflight-texts.ts";

type Message = CampaignPreflight["messages"][number];

/** Who would get each message if they came to it now, and who would not and why. Nothing for a campaign without messages. */
export function Preflight({ campaign }: { campaign: Campaign }) {
  const t = useTexts(texts);
  const read = usePreflight(campaign.id);
  if (read.data?.messages.length === 0) return null;
  return (
    <section aria-label={t("who")}>
      <h3 className={css.small}>{t("who")}</h3>
      <Answer
        of={read}
        loading={
          <>
            <p className="quiet">{t("counting")}</p>
            <Loading rows={2} height={32} />
          </>
        }
      >
        {(found) => <Found of={found} campaign={campaign} />}
      </Answer>
    </section>
  );
}

function Found({
  of: { who, people, counted, estimate, messages },
  campaign,
}: {
  of: CampaignPreflight;
  campaign: Campaign;
}) {
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useStepNames(campaign.steps);
  if (people === 0) return <Note tone="plain">{t(`nobody_${who}`)}</Note>;
  return (
    <>
      <p className="quiet">
        {t(who, { count: people })} {t("asIf")}
        {estimate && ` ${t("estimate", { counted: format.number(counted) })}`}
      </p>
      {messages.map((message) => (
        <MessageCount
          key={`${message.step_id} ${message.step_position}`}
          of={message}
          people={people}
          name={nameOf(message.step_id)}
        />
      ))}
    </>
  );
}

/** One message: the number, and behind it who gets it later or not at all. */
function MessageCount({ of, people, name }: { of: Message; people: number; name: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { channel, step_position: position, will_receive: gets, excluded, held_out, waits, samples } = of;
  const reasons = [
    ...byCount(waits).map(([reason, count]) => ({ reason, shown: `waits_${reason}`, count })),
    ...[["held_out", held_out] as const, ...byCount(excluded)].map(([reason, count]) => ({
      reason,
      shown: reason,
      count,
    })),
  ].filter(({ count }) => count > 0);
  return (
    <details className={css.counted}>
      <summary>
        <span>
          <span>
            {name}
            {position > 0 && ` · ${t("escalated", { channel: t(channel) })}`}
          </span>
          <strong className="numbers">{t("gets", { gets: format.number(gets), people: format.number(people) })}</strong>
        </span>
      </summary>
      <Samples of={samples.will_receive} />
      {reasons.length === 0 ? (
        <p className="quiet">{t("all")}</p>
      ) : (
        <List>
          {reasons.map(({ reason, shown, count }) => (
            <Reason key={shown} name={shown} count={count} samples={samples[reason]} />
          ))}
        </List>
      )}
    </details>
  );
}

/** Returns the reasons and their numbers, the largest first, as the preflight of a broadcast shows them. */
const byCount = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).toSorted(([, one], [, other]) => other - one);

/** Counts who would get the messages of the saved draft. It reads up to 10,000 people, so it is counted once for each opening. */
function usePreflight(id: string) {
  const { id: workspace, call } = useWorkspace();
  return useQuery({
    // Not below the path of the campaign: what happens in it would count everybody again and again.
    queryKey: [workspace, `/preflight/${id}`],
    queryFn: async ({ signal }) =>
      (await call<CampaignPreflight>("POST", `/campaigns/${id}/preflight`, { signal })).body,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
