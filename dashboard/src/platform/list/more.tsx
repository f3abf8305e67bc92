import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../language/texts.ts";
import { Empty } from "../states/states.tsx";
import { texts } from "./texts.ts";

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Below a list that does not scroll by itself: reads its next page. */
export function More({ list, text }: { list: Paged; text?: string }) {
  const t = useTexts(texts);
  if (!list.hasNextPage) return null;
  return (
    <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {text ?? t("more")}
    </Button>
  );
}

interface NoRowsProps {
  filtered: boolean;
  /** What is shown if no row fits the filters. */
  title: string;
  body: string;
  onClear: () => void;
  /** What is shown if there is no row at all. */
  children: ReactNode;
}

/** Instead of the rows of a list that has none. */
export function NoRows({ filtered, title, body, onClear, children }: NoRowsProps) {
  if (!filtered) return children;
  return (
    <NoMatch title={title} onClear={onClear}>
      {body}
    </NoMatch>
  );
}

/** No row fits the filters. */
export function NoMatch({ title, children, onClear }: { title?: string; children?: ReactNode; onClear: () => void }) {
  const t = useTexts(texts);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t("clear")}
    </Button>
  );
  return (
    <Empty icon="search" title={title ?? t("noMatch")} action={clear}>
      {children ?? t("noMatchBody")}
    </Empty>
  );
}
