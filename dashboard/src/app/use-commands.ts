import { useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type Session, signOut } from "../members/session.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { type Language, languages, setLanguage, useLanguage } from "../platform/language/language.ts";
import { useTexts } from "../platform/language/texts.ts";
import type { IconName } from "../platform/look/icons.tsx";
import { rooms } from "./rooms.ts";
import { texts } from "./texts.ts";

interface Command {
  label: string;
  icon: IconName;
  keys?: string;
  run: () => void;
}

/** Returns the rooms and commands that match what is typed, each word of it anywhere. */
export function useCommands(session: Session, typed: string, onShortcuts: () => void): Command[] {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const navigate = useNavigate();
  const language = useLanguage();
  const { toggleColorScheme } = useMantineColorScheme();
  const all: Command[] = [
    ...rooms.map(({ text, to, icon, keys }) => ({
      label: t(text),
      icon,
      keys,
      run: () => void navigate({ to, params: { workspace } }),
    })),
    ...session.workspaces
      .filter(({ id }) => id !== workspace)
      .map(({ id, name }) => ({
        label: t("toWorkspace", { name }),
        icon: "right" as const,
        run: () => void navigate({ to: "/w/$workspace", params: { workspace: id } }),
      })),
    { label: t("toggleTheme"), icon: "moon", run: toggleColorScheme },
    ...(Object.keys(languages) as Language[])
      .filter((code) => code !== language)
      .map((code) => ({
        label: `${t("language")}: ${languages[code]}`,
        icon: "settings" as const,
        run: () => setLanguage(code),
      })),
    { label: t("shortcuts"), icon: "keyboard", keys: "?", run: onShortcuts },
    { label: t("signOut"), icon: "out", run: () => void signOut() },
  ];
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/);
  const matching = all.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  return text === "" ? matching : [...matching, ...sought(text)];

  function sought(text: string): Command[] {
    if (/^dlv_\w+$/.test(text))
      return [
        {
          label: t("openDelivery", { text }),
          icon: "send",
          run: () => void navigate({ to: "/w/$workspace/deliveries", params: { workspace }, search: { open: text } }),
        },
      ];
    return [
      {
        label: t("findPerson", { text }),
        icon: "search",
        run: () => void navigate({ to: "/w/$workspace/people", params: { workspace }, search: { q: text } }),
      },
      {
        label: t("explainPerson", { text }),
        icon: "question",
        run: () => void navigate({ to: "/w/$workspace/explain", params: { workspace }, search: { person: text } }),
      },
    ];
  }
}
