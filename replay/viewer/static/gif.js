// A hand as a moving picture: pixels become a GIF here, without asking anybody.
// @ts-check

/** The number of colours of a picture; one more means that a pixel has not changed. */
const INKS = 255;

/**
 * A GIF of n pictures of one size, each drawn when it is needed: a long hand would fill the memory.
 * @param {number} many
 * @param {(k: number) => Promise<ImageData>} draw
 * @param {(k: number) => number} stands  how long each stands, in hundredths of a second
 * @param {string[]} inks  colours that any of them may have, as `#8a4600`
 */
export async function gifOf(many, draw, stands, inks) {
  const some = await Promise.all([draw(0), draw(many >> 1), draw(many - 1)]), { width, height } = some[0];
  /** @type {number[]} */
  const out = [];
  // Bytes, and texts as their bytes; a figure of two bytes has its lower one first.
  const put = (/** @type {(number | string)[]} */ ...parts) => {
    for (const part of parts) out.push(...(typeof part === "string" ? [...part].map((c) => c.charCodeAt(0)) : [part]));
  };
  const word = (/** @type {number} */ n) => [n & 255, n >> 8];
  const palette = paletteOf(some, inks), near = nearest(palette);
  // It begins again when it is over.
  put("GIF89a", ...word(width), ...word(height), 247, 0, 0, ...palette.flat(), 0, 0, 0, 33, 255, 11, "NETSCAPE2.0", 3, 1, 0, 0, 0);
  let before = new Uint32Array(0);
  for (let k = 0; k < many; k++) {
    const now = new Uint32Array((await draw(k)).data.buffer), was = before;
    put(33, 249, 4, k ? 5 : 4, ...word(stands(k)), INKS, 0, 44, 0, 0, 0, 0, ...word(width), ...word(height), 0, 8);
    const packed = lzw(now.length, (i) => (k && now[i] === was[i] ? INKS : near(now[i] ?? 0)));
    for (let at = 0; at < packed.length; at += 255) put(Math.min(255, packed.length - at), ...packed.slice(at, at + 255));
    put(0);
    before = now;
  }
  put(59);
  return new Blob([new Uint8Array(out)], { type: "image/gif" });
}

/**
 * The red, the green and the blue of a pixel.
 * @param {number} pixel
 */
function partsOf(pixel) {
  return [0, 8, 16].map((at) => (pixel >> at) & 255);
}

/**
 * These colours, and those that most pixels have.
 * @param {ImageData[]} frames
 * @param {string[]} inks
 */
function paletteOf(frames, inks) {
  /** @type {Map<number, number>} */
  const many = new Map();
  for (const frame of frames) {
    for (const pixel of new Uint32Array(frame.data.buffer)) many.set(pixel, (many.get(pixel) ?? 0) + 1);
  }
  const found = [...inks.map((ink) => partsOf(parseInt(ink.slice(1), 16)).reverse()), ...[...many].sort((a, b) => b[1] - a[1]).map(([pixel]) => partsOf(pixel))];
  return Array.from({ length: INKS }, (_, k) => found[k] ?? [0, 0, 0]);
}

/**
 * The colour nearest to that of a pixel.
 * @param {number[][]} palette
 */
function nearest(palette) {
  /** @type {Map<number, number>} */
  const known = new Map();
  return (/** @type {number} */ pixel) => {
    let best = known.get(pixel);
    if (best === undefined) {
      const own = partsOf(pixel), far = palette.map((ink) => ink.reduce((sum, part, k) => sum + (part - (own[k] ?? 0)) ** 2, 0));
      known.set(pixel, (best = far.indexOf(Math.min(...far))));
    }
    return best;
  };
}

/**
 * Pixels of eight bits, packed in GIF's form.
 * @param {number} many
 * @param {(i: number) => number} pixel
 */
function lzw(many, pixel) {
  /** @type {number[]} */
  const out = [];
  /** @type {Map<number, number>} */
  const codes = new Map();
  let size = 9, next = 258, bits = 0, held = 0, run = pixel(0);
  const put = (/** @type {number} */ code) => {
    bits |= code << held;
    for (held += size; held > 7; held -= 8, bits >>= 8) out.push(bits & 255);
  };
  put(256);
  for (let i = 1; i < many; i++) {
    const key = (run << 8) | pixel(i), code = codes.get(key);
    if (code !== undefined) {
      run = code;
      continue;
    }
    put(run);
    if (next === 4096) {
      put(256);
      codes.clear();
      [size, next] = [9, 258];
    } else {
      if (next >= 1 << size) size++;
      codes.set(key, next++);
    }
    run = key & 255;
  }
  put(run);
  put(257);
  out.push(bits & 255);
  return out;
}
