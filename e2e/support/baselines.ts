import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

/**
 * Pictures of every screen as it was when a person last looked at it, at a quarter of the size: columns, panels and colours
 * stay visible, single digits do not. `UPDATE_BASELINES=1` writes them anew; the change is reviewed as pictures in the diff.
 */
const baselines = join(import.meta.dirname, '../journeys/baselines')
const output = join(import.meta.dirname, '../output')

/** How many pixels of the screen become one of the baseline, in each direction. */
const shrink = 4

/** Of the whole picture: what is left to chance, e.g. how many digits a duration has. */
const toleratedShare = 0.006

/** Squares of the baseline that are judged by themselves: a button or a line of text that moved fills a good part of one. */
const tile = 8
const toleratedInTile = 12

/** Texts set in another face are wider or narrower, so that pictures of other machines do not compare. */
const chineseFace = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'
const comparable = existsSync(chineseFace)
if (!comparable) console.warn('Noto Sans CJK was not found: pictures of screens are not compared with their baselines')

/** Sixteen steps of each colour are enough to see a change, and halve the files. */
const coarse = (value: number): number => value & 0xf0

/** The picture with each square of pixels replaced by its mean colour. */
const shrunk = (png: PNG): PNG => {
  const small = new PNG({ width: Math.floor(png.width / shrink), height: Math.floor(png.height / shrink) })
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      small.data[(y * small.width + x) * 4 + 3] = 0xff
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let row = y * shrink; row < (y + 1) * shrink; row++) {
          for (let column = x * shrink; column < (x + 1) * shrink; column++) {
            sum += png.data[(row * png.width + column) * 4 + channel] ?? 0
          }
        }
        small.data[(y * small.width + x) * 4 + channel] = coarse(sum / shrink ** 2)
      }
    }
  }
  return small
}

interface Difference {
  /** How large a part of two pictures of one size differs, from 0 to 1. */
  readonly share: number
  /** The square that differs most: its middle in pixels of the screen, and how many pixels of it differ. */
  readonly worst: { readonly x: number; readonly y: number; readonly pixels: number }
  /** A picture that marks what differs. */
  readonly marked: PNG
}

const difference = (before: PNG, after: PNG): Difference => {
  const { width, height } = before
  const marked = new PNG({ width, height })
  const pixels = pixelmatch(before.data, after.data, marked.data, width, height, { threshold: 0.15, diffMask: true })
  let worst = { x: 0, y: 0, pixels: 0 }
  // Squares overlap by half, so that nothing hides on the edge between two.
  for (let top = 0; top < height; top += tile / 2) {
    for (let left = 0; left < width; left += tile / 2) {
      let count = 0
      for (let y = top; y < Math.min(top + tile, height); y++)
        for (let x = left; x < Math.min(left + tile, width); x++) if (marked.data[(y * width + x) * 4 + 3]) count += 1
      if (count > worst.pixels) worst = { x: (left + tile / 2) * shrink, y: (top + tile / 2) * shrink, pixels: count }
    }
  }
  return { share: pixels / (width * height), worst, marked }
}

/**
 * Writes 0 for every digit, x for the letters of ids that are made anew, one word for all short times and one for all months, so that
 * pictures of two runs show the same. Figures are as wide as each other: nothing moves by it.
 */
const steadyTexts = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready
    const ago = /^(now|this minute|\d+ (second|minute)s? ago|现在|\d+ ?(秒|分)钟?前)$/
    const months = /\b(January|February|March|April|May|June|July|August|September|October|November|December)\b/g
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? ''
      const steady = ago.test(text.trim())
        ? '0'
        : text
            .replaceAll(/[0-9A-Za-z]{24,}/g, (id) => 'x'.repeat(id.length))
            .replaceAll(months, 'November')
            .replaceAll(/(?<!\d)\d(?= ?月)/g, '00')
            .replaceAll(/[1-9]/g, '0')
      if (steady !== text) node.nodeValue = steady
    }
  })

/** Parts that differ in every run: keys, charts of measured figures with the ticks of their axes, figures of the last minute, and months. */
const random =
  'pre, input[type=month], canvas, svg[role=img], div[role=img], :has(> [role=slider]), figure svg, [data-minor] dd'

/** Hints open some time after the pointer or the focus came to rest, as quick as the machine is. */
const withoutHints = '.mantine-Tooltip-tooltip { visibility: hidden !important }'

/** Differences between the page and the baseline `screen`/`look`; empty when they agree or cannot be compared here. */
export const baselineFaults = async (page: Page, screen: string, look: string): Promise<string[]> => {
  if (!comparable) return []
  await steadyTexts(page)
  const shown = await page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    mask: [page.locator(random)],
    style: withoutHints,
  })
  const after = shrunk(PNG.sync.read(shown))
  const path = join(baselines, screen, `${look}.png`)
  if (process.env.UPDATE_BASELINES === '1') {
    mkdirSync(join(baselines, screen), { recursive: true })
    writeFileSync(path, PNG.sync.write(after, { colorType: 2, deflateLevel: 9, deflateStrategy: 1 }))
    return []
  }
  if (!existsSync(path)) return [`no baseline picture for ${look}; UPDATE_BASELINES=1 writes it`]
  const before = PNG.sync.read(readFileSync(path))
  if (before.width !== after.width || before.height !== after.height)
    return [`the baseline of ${look} has another size`]
  const { share, worst, marked } = difference(before, after)
  if (process.env.SHOW_DIFFERENCES === '1') console.log(screen, look, share.toFixed(4), JSON.stringify(worst))
  if (share <= toleratedShare && worst.pixels <= toleratedInTile) return []
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, `${screen}.${look}.compared.png`), shown)
  writeFileSync(join(output, `${screen}.${look}.difference.png`), PNG.sync.write(marked))
  return [
    `${(100 * share).toFixed(1)}% of the picture differs from its baseline, most of it near ${worst.x}, ${worst.y}`,
  ]
}
