import { expect, test } from "vitest";
import { jsonOf } from "./message.ts";

test("a content with files is the JSON that it always was, put together from its pieces", () => {
  const content = { from: null, subject: 'é"', body: "b", attachments: [] as { name: string; base64: string }[] };
  for (const name of ["a.txt", 'ö"\\.pdf', "c"]) {
    expect(JSON.parse([jsonOf(content)].flat().join(""))).toEqual(content);
    content.attachments.push({ name, base64: "QUJD" });
  }
});
