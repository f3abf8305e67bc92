import { expect, test } from "vitest";
import { jsonOf } from "./message.ts";

test("the pieces of a content with files together are its JSON", () => {
  const content = { from: null, subject: 'é"', body: "b", attachments: [] as { name: string; base64: string }[] };
  for (const name of ["a.txt", 'ö"\\.pdf', "c"]) {
    expect(JSON.parse([jsonOf(content)].flat().join(""))).toEqual(content);
    content.attachments.push({ name, base64: "QUJD" });
  }
});
