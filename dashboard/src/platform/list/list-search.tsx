import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../look/icons.tsx";

interface ListSearchProps {
  /** What it seeks by, for a screen reader; also shown while it is empty. */
  label: string;
  placeholder?: string;
  /** What the list is asked for. */
  value: string;
  /** Called after a pause in typing, with the text without the spaces around it. */
  onSearch: (text: string) => void;
  className?: string | undefined;
  disabled?: boolean;
  /** The most characters that the list takes (docs/lists.md). */
  longest?: number;
}

/** How long nothing must be typed before the list is asked. */
const PAUSE_MS = 200;

/** The field that searches a list. The key "/" leads to it. */
export function ListSearch(props: ListSearchProps) {
  const { label, placeholder = label, value, onSearch, className, disabled = false, longest = 200 } = props;
  const [typed, setTyped] = useState(value);
  // What was asked for and has not come back as the value. It may come back after more was typed, which it must not replace.
  const asked = useRef<string[]>([]);
  useEffect(() => {
    const at = asked.current.lastIndexOf(value);
    asked.current.splice(0, at < 0 ? asked.current.length : at + 1);
    if (at < 0) setTyped(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    const text = typed.trim();
    if (text === (asked.current.at(-1) ?? value)) return;
    const timer = setTimeout(() => {
      asked.current.push(text);
      onSearch(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      className={className ?? ""}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={14} />}
      data-list-search
      maxLength={longest}
      disabled={disabled}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
