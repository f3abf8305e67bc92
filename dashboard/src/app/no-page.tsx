import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../platform/language/texts.ts";
import { Empty } from "../platform/states/states.tsx";
import { texts } from "./texts.ts";

export function NoPage() {
  const t = useTexts(texts);
  return (
    <Empty
      icon="search"
      title={t("nowhere")}
      action={
        <Anchor component={Link} to="/">
          {t("toStart")}
        </Anchor>
      }
    />
  );
}
