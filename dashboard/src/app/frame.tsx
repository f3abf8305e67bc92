import { ActionIcon, Drawer, Kbd, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useFollow } from "../live/follow.ts";
import type { Session } from "../members/session.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Banners } from "../platform/states/banners.tsx";
import { Trail } from "../platform/trail.tsx";
import { Tray } from "../tasks/tray.tsx";
import { AccountMenu } from "./account-menu.tsx";
import css from "./frame.module.css";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { ShortcutsSheet } from "./shortcuts-sheet.tsx";
import { texts } from "./texts.ts";
import { useCommands } from "./use-commands.ts";
import { useFrameKeys } from "./use-frame-keys.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

/** What surrounds each page of a workspace: the navigation, a drawer on a phone; the way back; the palette and the keys. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const t = useTexts(texts);
  const [drawer, { open: openDrawer, close: closeDrawer }] = useDisclosure();
  const [palette, { open: openPalette, close: closePalette }] = useDisclosure();
  const [sheet, { open: openSheet, close: closeSheet }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useFollow(useWorkspace().id);
  const commands = useCommands(session, openSheet);
  useFrameKeys({ openPalette, commands });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the drawer closes it
  useEffect(closeDrawer, [path]);

  const side = (
    <>
      <WorkspaceSwitcher session={session} />
      <Navigation />
      <AccountMenu session={session} onShortcuts={openSheet} />
    </>
  );
  return (
    <div className={css.frame}>
      <a href="#content" className={css.skip}>
        {t("skip")}
      </a>
      <div className={css.side}>{side}</div>
      <Drawer
        opened={drawer}
        onClose={closeDrawer}
        size={272}
        padding={0}
        attributes={{ content: { "aria-label": t("navigation") } }}
        classNames={{ body: css.drawer ?? "" }}
      >
        {side}
      </Drawer>
      <div className={css.main}>
        <Banners />
        <header className={css.top}>
          <ActionIcon
            className={css.burger ?? ""}
            variant="subtle"
            color="gray"
            size="lg"
            onClick={openDrawer}
            aria-label={t("openMenu")}
          >
            <Icon name="menu" />
          </ActionIcon>
          <Trail />
          <Tray />
          <UnstyledButton className={css.search ?? ""} onClick={openPalette}>
            <Icon name="search" size={14} />
            <span className={css.searchText}>{t("search")}</span>
            <Kbd size="xs" className={css.searchKey ?? ""}>
              Ctrl K
            </Kbd>
          </UnstyledButton>
        </header>
        {/* It scrolls, also by keys where nothing in it takes the focus. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <main id="content" tabIndex={0} className={css.content}>
          {children}
        </main>
      </div>
      {palette && <Palette commands={commands} onClose={closePalette} />}
      <ShortcutsSheet opened={sheet} onClose={closeSheet} commands={commands} />
    </div>
  );
}
