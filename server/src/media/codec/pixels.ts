/** An image in memory: red, green, blue and alpha, a byte each. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Turns and mirrors a picture as its orientation of Exif says. */
export function upright(image: Pixels, orientation: number): Pixels {
  if (orientation === 1) return image;
  const { width: w, height: h } = image;
  const from = new Uint32Array(image.data.buffer, image.data.byteOffset, w * h);
  const to = new Uint32Array(w * h);
  const lies = orientation >= 5;
  const [width, height] = lies ? [h, w] : [w, h];
  const target: ((x: number, y: number) => [number, number]) | undefined = {
    2: (x: number, y: number): [number, number] => [w - 1 - x, y],
    3: (x: number, y: number): [number, number] => [w - 1 - x, h - 1 - y],
    4: (x: number, y: number): [number, number] => [x, h - 1 - y],
    5: (x: number, y: number): [number, number] => [y, x],
    6: (x: number, y: number): [number, number] => [h - 1 - y, x],
    7: (x: number, y: number): [number, number] => [h - 1 - y, w - 1 - x],
    8: (x: number, y: number): [number, number] => [y, w - 1 - x],
  }[orientation];
  if (!target) return image;
  // Each map is linear: its steps in x and y are enough, and no call is made for each of 25 million pixels.
  const place = (x: number, y: number) => {
    const [tx, ty] = target(x, y);
    return ty * width + tx;
  };
  const start = place(0, 0);
  const stepX = w > 1 ? place(1, 0) - start : 0;
  const stepY = h > 1 ? place(0, 1) - start : 0;
  for (let y = 0, read = 0; y < h; y++) {
    let write = start + y * stepY;
    for (let x = 0; x < w; x++, write += stepX) to[write] = from[read++] as number;
  }
  return { data: new Uint8ClampedArray(to.buffer), width, height };
}

/** Returns the picture at most `most` pixels wide and high: each new pixel is the mean of those that it stands for. */
export function shrunk(image: Pixels, most: number): Pixels {
  const scale = Math.max(image.width, image.height) / most;
  if (scale <= 1) return image;
  const width = Math.max(1, Math.round(image.width / scale));
  const height = Math.max(1, Math.round(image.height / scale));
  const data = new Uint8ClampedArray(width * height * 4);
  const edges = (from: number, to: number) => Array.from({ length: to + 1 }, (_, i) => Math.floor((i * from) / to));
  const [columns, rows] = [edges(image.width, width), edges(image.height, height)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      mean(image, [columns[x] as number, columns[x + 1] as number, rows[y] as number, rows[y + 1] as number], {
        data,
        at: (y * width + x) * 4,
      });
  return { data, width, height };
}

/** Writes the mean of a rectangle. Colours count as much as they are visible: transparent pixels are often black. */
function mean(
  { data, width }: Pixels,
  [left, right, top, bottom]: [number, number, number, number],
  to: { data: Uint8ClampedArray; at: number },
): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++)
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
      const a = data[at + 3] as number;
      red += (data[at] as number) * a;
      green += (data[at + 1] as number) * a;
      blue += (data[at + 2] as number) * a;
      alpha += a;
    }
  if (alpha === 0) return;
  to.data[to.at] = red / alpha;
  to.data[to.at + 1] = green / alpha;
  to.data[to.at + 2] = blue / alpha;
  to.data[to.at + 3] = alpha / ((right - left) * (bottom - top));
}
