import { Button } from "@mantine/core";
import { Door } from "../members/door/door.tsx";
import { signOut } from "../members/session.ts";
import { texts as doorTexts } from "../members/texts.ts";
import { useTexts } from "../platform/language/texts.ts";
import { texts } from "./texts.ts";

/** Somebody is signed in who is a member of no workspace. */
export function NoWorkspace() {
  const door = useTexts(doorTexts);
  const t = useTexts(texts);
  return (
    <Door title={door("nowhere")} lead={door("nowhereBody")}>
      <Button mt="md" fullWidth variant="default" onClick={() => void signOut()}>
        {t("signOut")}
      </Button>
    </Door>
  );
}
