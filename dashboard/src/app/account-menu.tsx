import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { type Session, signOut } from "../members/session.ts";
import { languages, type Language, setLanguage, useLanguage } from "../platform/language/language.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./frame.module.css";
import { texts } from "./texts.ts";

const schemes = ["light", "dark", "auto"] as const;

export function AccountMenu({ session, onShortcuts }: { session: Session; onShortcuts: () => void }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { email, name } = session.member;
  const tick = (on: boolean) => (
    <span style={{ width: 14, display: "flex" }}>{on && <Icon name="check" size={14} />}</span>
  );
  return (
    <Menu width={216} position="top-start">
      <Menu.Target>
        <UnstyledButton className={css.account ?? ""}>
          <span className={css.initial}>{[...(name ?? email)][0]?.toUpperCase()}</span>
          <span className={`${css.who} cut`}>{name ?? email}</span>
          <Icon name="updown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("theme")}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item key={scheme} leftSection={tick(scheme === colorScheme)} onClick={() => setColorScheme(scheme)}>
            {t(scheme)}
          </Menu.Item>
        ))}
        <Menu.Label>{t("language")}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((code) => (
          <Menu.Item key={code} leftSection={tick(code === language)} onClick={() => setLanguage(code)}>
            {languages[code]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="keyboard" size={14} />} onClick={onShortcuts}>
          {t("shortcuts")}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" size={14} />} onClick={() => void signOut()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
