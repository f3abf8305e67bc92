import type { DeviceList } from "@tidings/contract/facts/people";
import type { Static } from "typebox";
import { useRead } from "../../platform/call/queries.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import css from "../people.module.css";
import { texts } from "../texts.ts";

/** The devices that pushes go to. */
export function Devices({ path }: { path: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const read = useRead<Static<typeof DeviceList>>(`${path}/devices`);
  return (
    <Section title={t("devices")}>
      <Answer of={read} loading={<Loading rows={2} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">{t("noDevices")}</p>
          ) : (
            data.map(({ id, platform, app_version, last_used_at, disabled_at }) => (
              <div key={id} className={css.device}>
                <span>
                  {platform} {app_version}
                </span>
                {disabled_at ? (
                  <Badge tone="bad">{t("dead")}</Badge>
                ) : (
                  <span className="quiet">{t("lastUsed", { time: format.ago(last_used_at) })}</span>
                )}
              </div>
            ))
          )
        }
      </Answer>
    </Section>
  );
}
