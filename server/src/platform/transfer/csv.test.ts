import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, csvRecords, plainCell } from "./csv.ts";

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(text: string | Buffer, size = 7) {
  const records = [];
  for await (const record of csvRecords(inPieces(Buffer.from(text as string), size))) records.push(record);
  return records;
}

test("cells that were written are read back unchanged, wherever the chunks are cut", async () => {
  // A byte order mark belongs to the file, not to the cell. A single empty cell is an empty line.
  const cell = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll("\uFEFF", ""));
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (written, size) => {
      const records = await read(written.map(csvLine).join(""), size);
      expect(records.map(({ fields }) => fields.map(plainCell))).toEqual(written);
    }),
  );
});

test("quotes, quoted line breaks, CRLF, LF, empty lines and a missing last line break are read", async () => {
  expect(await read('\uFEFFa,b\r\n"x ""y""","two\nlines"\n\n,"",\r\nlast,"5"\r')).toEqual([
    { line: 1, fields: ["a", "b"] },
    { line: 2, fields: ['x "y"', "two\nlines"] },
    { line: 5, fields: ["", "", ""] },
    { line: 6, fields: ["last", "5"] },
  ]);
});

test("lines that end with CR alone, as old Macs write them, and mixed line ends are read with the right line numbers", async () => {
  for (const size of [1, 3, 512])
    expect(await read('a,b\r1,"x\ry"\r\r\n2,z\r\n3,"q"\n4,w', size)).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ["1", "x\ry"] },
      { line: 4, fields: ["2", "z"] },
      { line: 5, fields: ["3", "q"] },
      { line: 6, fields: ["4", "w"] },
    ]);
});

test("a quote in the middle of a cell is a character like any other", async () => {
  expect(await read('5" pipe,b"c"\n')).toEqual([{ line: 1, fields: ['5" pipe', 'b"c"'] }]);
});

test("text after a closing quote, which CSV does not allow, ends neither the cell nor its line", async () => {
  expect(await read('"a"b,"c" \nd,e\n')).toEqual([
    { line: 1, fields: ['"a"b', '"c" '] },
    { line: 2, fields: ["d", "e"] },
  ]);
});

test("records before a broken line are returned before the error, even when one chunk holds both", async () => {
  for (const broken of [Buffer.from('"x,y\n'), Buffer.from(`"${"x".repeat(60_000)}"\n`)]) {
    const lines: number[] = [];
    const reading = async () => {
      for await (const { line } of csvRecords(inPieces(Buffer.concat([Buffer.from("a,b\n\nc,d\n"), broken]), 100_000)))
        lines.push(line);
    };
    await expect(reading()).rejects.toMatchObject({ line: 4 });
    expect(lines).toEqual([1, 3]);
  }
});

test("a cell that a spreadsheet would run as a formula is written as text", () => {
  expect(csvLine(["=1+1", "+49151", "-2", "@SUM(A1)", "\tx", "a=b"])).toBe("'=1+1,'+49151,'-2,'@SUM(A1),'\tx,a=b\r\n");
});

test.each([
  ["a quote that is never closed", 'a,b\n"x,y\n', 2],
  ["a record of nothing but commas", `a,b\n${",".repeat(100_000)}`, 2],
  ["a record that does not end", `a,b\n"${"x".repeat(20_000)}"\n`, 2],
])("%s is reported with its line", async (_what, text, line) => {
  await expect(read(text, 512)).rejects.toMatchObject({ line });
});

test("bytes that are not UTF-8 are reported", async () => {
  await expect(read(Buffer.from([0x61, 0x2c, 0xff, 0xfe]))).rejects.toThrow("not valid UTF-8");
});
