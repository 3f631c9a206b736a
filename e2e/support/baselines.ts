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

/** Times, amounts and the order of calls made at once differ from run to run; a moved panel or column is far more. */
const toleratedShare = 0.006

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

/** How large a part of two pictures of one size differs, from 0 to 1, with a picture that marks it. */
const difference = (before: PNG, after: PNG): { share: number; marked: PNG } => {
  const marked = new PNG({ width: before.width, height: before.height })
  const pixels = pixelmatch(before.data, after.data, marked.data, before.width, before.height, { threshold: 0.15 })
  return { share: pixels / (before.width * before.height), marked }
}

/** What a run makes anew each time. */
const random = 'pre, canvas'

/** What the page shows otherwise than the baseline `screen`/`look`; empty when they agree or cannot be compared here. */
export const baselineFaults = async (page: Page, screen: string, look: string): Promise<string[]> => {
  if (!comparable) return []
  const after = shrunk(
    PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide', mask: [page.locator(random)] })),
  )
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
  const { share, marked } = difference(before, after)
  if (share <= toleratedShare) return []
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, `${screen}.${look}.difference.png`), PNG.sync.write(marked))
  return [`${(100 * share).toFixed(1)}% of the picture differs from its baseline`]
}
