import { Tabs } from "@mantine/core";
import { Source } from "../look/parts.tsx";
import { Copy } from "../states/copy.tsx";
import css from "./samples.module.css";

/** Shows one call in several languages, each ready to copy. The keys of `of` are the names of the languages. */
export function Samples({ of }: { of: Record<string, string> }) {
  const names = Object.keys(of);
  return (
    <Tabs defaultValue={names[0] ?? null}>
      <Tabs.List>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(of).map(([name, text]) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <div className={css.sample}>
            <Source text={text} />
            <span className={css.copy}>
              <Copy value={text} what={name} />
            </span>
          </div>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
