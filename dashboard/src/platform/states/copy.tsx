import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { useTexts } from "../language/texts.ts";
import { Icon } from "../look/icons.tsx";
import { texts } from "./texts.ts";

/** A button that copies a text. `what` says to a screen reader which one. */
export function Copy({ value, what }: { value: string; what: string }) {
  const t = useTexts(texts);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t("copied") : t("copy")}>
          <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={`${t("copy")}: ${what}`}>
            <Icon name={copied ? "check" : "copy"} size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
