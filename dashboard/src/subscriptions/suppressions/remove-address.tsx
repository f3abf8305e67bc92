import { Ask } from "../../platform/ask.tsx";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import type { Suppression } from "./suppressions.tsx";
import { texts } from "./texts.ts";

interface RemoveAddressProps {
  row: Suppression;
  onClose: () => void;
  onRemoved: () => void;
}

/** Takes an address off the list; says first what the reason for it means. */
export function RemoveAddress({ row, onClose, onRemoved }: RemoveAddressProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const { channel, address, reason, etag } = row;
  return (
    <Ask
      title={t("removeTitle", { address: address ?? "" })}
      yes={t("remove")}
      bad
      onClose={onClose}
      onYes={async () => {
        const query = { channel, address: address ?? "" };
        await call("DELETE", "/suppressions", { query, headers: { "if-match": etag } });
        tell(t("removed"));
        onRemoved();
      }}
    >
      <p>{t("removeSure")}</p>
      <p>{t(`${reason}Sure`)}</p>
    </Ask>
  );
}
