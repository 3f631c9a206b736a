import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Aim and result of one measurement in `docs/benchmarks.md`. */
export interface StatedRatio {
  /** Undefined while nobody has measured it on a quiet machine. */
  readonly stated: number | undefined
  readonly aim: number | undefined
  /** True where a larger ratio is the better one. */
  readonly moreIsBetter: boolean
}

/** A row of a table of the page, by what stands in its columns `ratio` and `aim`. */
interface Columns {
  readonly ratio: number
  readonly aim: number
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const numberIn = (cell: string | undefined): number | undefined => {
  const [text] = /\d+(\.\d+)?/.exec(cell ?? '') ?? []
  return text === undefined ? undefined : Number(text)
}

/** `2,000 per second` and `2000 per second` are the same. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d)/g, '')
    .replace(/, cpu per request$/, '')

/** The rows of all tables with a column `ratio`, by the name in their first cell. An aim with `≥` is one of which more is better. */
export const readStatedRatios = (page: string): ReadonlyMap<string, StatedRatio> => {
  const found = new Map<string, StatedRatio>()
  let columns: Columns | undefined
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) {
      columns = undefined
      continue
    }
    const cells = cellsOf(line)
    if (columns === undefined) {
      columns = { ratio: cells.indexOf('ratio'), aim: cells.indexOf('aim') }
      continue
    }
    const { ratio, aim } = columns
    if (ratio < 0 || /^-*$/.test(cells[0] ?? '')) continue
    const stated = numberIn(cells[ratio])
    const aimCell = cells[aim] ?? ''
    if (stated === undefined && numberIn(aimCell) === undefined) continue
    found.set(plainName(cells[0] ?? ''), { stated, aim: numberIn(aimCell), moreIsBetter: aimCell.includes('≥') })
  }
  return found
}

/** How far apart figures of the same thing were, as a share of the least; 0 for one figure. */
export const spreadOf = (figures: readonly number[]): number => {
  const least = Math.min(...figures)
  return figures.length === 0 || least <= 0 ? 0 : Math.max(...figures) / least - 1
}

export interface Verdict {
  readonly text: string
  readonly isWorse: boolean
}

/** A measured ratio beside what is stated and what is aimed at; `noise` is the share by which the same thing differed in this run. */
export const verdictOn = (
  name: string,
  { measured, noise, stated }: { measured: number; noise: number; stated: StatedRatio | undefined },
): Verdict => {
  const limit = stated?.stated
  const moreIsBetter = stated?.moreIsBetter === true
  const isWorse =
    limit !== undefined && (moreIsBetter ? measured < limit / (1 + noise) : measured > limit * (1 + noise))
  const parts = [
    `${name}: ${measured.toFixed(2)}`,
    limit === undefined ? 'nothing stated' : `stated ${limit}`,
    ...(stated?.aim === undefined ? [] : [`aim ${moreIsBetter ? '≥' : '≤'} ${stated.aim}`]),
    `noise ${(100 * noise).toFixed(0)} %`,
    ...(isWorse ? ['WORSE than stated'] : []),
  ]
  return { text: parts.join(', '), isWorse }
}

/** Collects verdicts of a run, and makes the process end with 1 when a ratio is worse than the page says by more than the noise. */
export const openVerdicts = () => {
  const stated = readStatedRatios(readFileSync(join(import.meta.dirname, '../../../docs/benchmarks.md'), 'utf8'))
  const worse: string[] = []
  return {
    judge: (name: string, measured: number, noise: number): void => {
      const { text, isWorse } = verdictOn(name, { measured, noise, stated: stated.get(plainName(name)) })
      console.log(text)
      if (isWorse) worse.push(text)
    },
    end: (): void => {
      if (worse.length === 0) return
      console.log(`\nWorse than docs/benchmarks.md says:\n${worse.join('\n')}`)
      process.exitCode = 1
    },
  }
}
export type Verdicts = ReturnType<typeof openVerdicts>
