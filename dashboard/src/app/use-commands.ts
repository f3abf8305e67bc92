import { useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type Session, signOut } from "../members/session.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { type Language, languages, setLanguage, useLanguage } from "../platform/language/language.ts";
import { useTexts } from "../platform/language/texts.ts";
import type { IconName } from "../platform/look/icons.tsx";
import { roomsFor } from "./rooms.ts";
import { texts } from "./texts.ts";

export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** Pressed one after the other. The palette and the sheet show them, and the frame listens to them. */
  keys: string;
  run: () => void;
}

/** Workspaces beyond the ninth are in the switcher only. */
const MOST_NUMBERED = 9;

/** Everything that can be done on each page, each with its keys. */
export function useCommands(session: Session, openSheet: () => void): Command[] {
  const t = useTexts(texts);
  const { id: workspace, role } = useWorkspace();
  const navigate = useNavigate();
  const language = useLanguage();
  const { toggleColorScheme } = useMantineColorScheme();
  const codes = Object.keys(languages) as Language[];
  const other = codes[(codes.indexOf(language) + 1) % codes.length] as Language;
  return [
    ...roomsFor(role).map(({ text, to, icon, keys }) => ({
      id: to,
      label: t(text),
      icon,
      keys,
      run: () => void navigate({ to, params: { workspace } }),
    })),
    ...session.workspaces
      .slice(0, MOST_NUMBERED)
      .map(({ id, name }, i) => ({
        id,
        label: t("toWorkspace", { name }),
        icon: "right" as const,
        keys: `w ${i + 1}`,
        run: () => void navigate({ to: "/w/$workspace", params: { workspace: id } }),
      }))
      .filter(({ id }) => id !== workspace),
    { id: "theme", label: t("toggleTheme"), icon: "moon", keys: "x t", run: toggleColorScheme },
    {
      id: "language",
      label: `${t("language")}: ${languages[other]}`,
      icon: "settings",
      keys: "x l",
      run: () => setLanguage(other),
    },
    { id: "shortcuts", label: t("shortcuts"), icon: "keyboard", keys: "?", run: openSheet },
    { id: "signOut", label: t("signOut"), icon: "out", keys: "x q", run: () => void signOut() },
  ];
}
