import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Preflight as PreflightShape } from "@tidings/contract/messages/sendings";
import { useFormat, useLocale } from "../../platform/language/format.ts";
import { namesIn } from "../../platform/language/languages.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Item, Lines, List, Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Reason, Samples } from "../../sendings/reason.tsx";
import css from "../broadcasts.module.css";
import { texts } from "./texts.ts";

/** Who would get it, and who would not and why, with some of them to look at. */
export function Preflight({ read }: { read: UseQueryResult<PreflightShape> }) {
  const t = useTexts(texts);
  return (
    <Section
      title={t("who")}
      aside={
        <Button
          variant="subtle"
          size="xs"
          loading={read.isFetching}
          leftSection={<Icon name="refresh" size={14} />}
          onClick={() => void read.refetch()}
        >
          {t("refresh")}
        </Button>
      }
    >
      <Answer
        of={read}
        loading={
          <>
            <p className="quiet">{t("counting")}</p>
            <Loading rows={4} height={32} />
          </>
        }
      >
        {(found) => <Found of={found} />}
      </Answer>
    </Section>
  );
}

function Found({ of }: { of: PreflightShape }) {
  const t = useTexts(texts);
  const { audience, will_receive: willReceive, excluded, held_out: heldOut, held = 0, samples } = of;
  const left = [
    ["held_out", heldOut] as const,
    ...Object.entries(excluded).toSorted(([, one], [, other]) => other - one),
  ].filter(([, count]) => count > 0);
  return (
    <>
      {audience === 0 && (
        <Note tone="warn">
          <strong>{t("emptyAudience")}.</strong> {t("emptyAudienceBody")}
        </Note>
      )}
      {audience > 0 && willReceive === 0 && (
        <Note tone="warn">
          <strong>{t("nobodyLeft")}.</strong> {t("nobodyLeftBody")}
        </Note>
      )}
      {audience > 0 && (
        <p className={css.headline}>
          <strong className="numbers">{t("willReceive", { count: willReceive })}</strong>{" "}
          <span className="quiet">{t("ofAudience", { count: audience })}</span>
        </p>
      )}
      <Samples of={samples.will_receive} />
      {held > 0 && (
        <List>
          <Reason name="held" count={held} samples={samples.held} />
        </List>
      )}
      {audience > 0 && <h3 className={css.subtitle}>{t("notThese")}</h3>}
      {audience > 0 && left.length === 0 && <p className="quiet">{t("nobodyLeftOut")}</p>}
      {left.length > 0 && (
        <List>
          {left.map(([name, count]) => (
            <Reason key={name} name={name} count={count} samples={samples[name]} />
          ))}
        </List>
      )}
      <Parts of={of} />
    </>
  );
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);

/** Shows the numbers of a preflight for each variant and each language. */
function Parts({ of: { variants, locales } }: { of: PreflightShape }) {
  const t = useTexts(texts);
  const format = useFormat();
  const languageOf = namesIn(useLocale());
  return (
    <>
      {variants && (
        <>
          <h3 className={css.subtitle}>{t("byVariant")}</h3>
          <List>
            {Object.entries(variants).map(([name, { will_receive, excluded }]) => (
              <Item key={name}>
                <Lines>
                  {t("variant", { name })}
                  <span className="quiet">
                    {t("notGet")}: {format.number(sum(excluded))}
                  </span>
                </Lines>
                <strong className="numbers">{format.number(will_receive)}</strong>
              </Item>
            ))}
          </List>
        </>
      )}
      {locales && (
        <>
          <h3 className={css.subtitle}>{t("byLanguage")}</h3>
          <List>
            {Object.entries(locales).map(([tag, count]) => (
              <Item key={tag}>
                <Lines>{tag === "default" ? t("everybodyElse") : languageOf(tag)}</Lines>
                <strong className="numbers">{format.number(count)}</strong>
              </Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
