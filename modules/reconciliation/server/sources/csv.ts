/** Rows that are read before other work of the process has its turn. */
const rowsPerTurn = 2_000

const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const delimiters = [',', ';', '\t'] as const

/** The delimiter that the first line has most of. */
const delimiterOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1)
  return delimiters.reduce<string>(
    (best, one) => (line.split(one).length > line.split(best).length ? one : best),
    delimiters[0],
  )
}

/**
 * The rows of a CSV text (RFC 4180), the header among them; the delimiter is a comma, a semicolon or a tab. Quotes that do not
 * end make the rest one cell. Empty lines are left out.
 */
export function* csvRows(text: string): Generator<string[]> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const delimiter = delimiterOf(source)
  let at = 0
  let row: string[] = []
  while (at < source.length) {
    let cell = ''
    if (source[at] === '"') {
      at += 1
      for (;;) {
        const quote = source.indexOf('"', at)
        cell += source.slice(at, quote === -1 ? source.length : quote)
        at = quote === -1 ? source.length : quote + 1
        if (source[at] !== '"' || quote === -1) break
        cell += '"'
        at += 1
      }
    }
    const start = at
    while (at < source.length && source[at] !== delimiter && source[at] !== '\n') at += 1
    row.push((cell + source.slice(start, at)).trim())
    const ended = at >= source.length || source[at] === '\n'
    at += 1
    if (!ended) continue
    if (row.some((value) => value !== '')) yield row
    row = []
  }
  if (row.some((value) => value !== '')) yield row
}

/** A row by the names of its columns, in lower case. */
export interface CsvRecord {
  /** From 1, the header included. */
  readonly line: number
  /** The first of these columns that the file has and that is not empty here; empty otherwise. */
  text(...names: readonly string[]): string
}

/** Names of columns that differ in case, spaces, `_` and `/` only are the same. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_/:-]/g, '')

/** Reads all rows below the header, a part at a time, so that calls are not delayed by a long file. */
export const readCsv = async (
  text: string,
  onHeader: (has: (name: string) => boolean) => void,
  onRecord: (record: CsvRecord) => void,
): Promise<void> => {
  const rows = csvRows(text)
  const first = rows.next()
  const places = new Map((first.done ? [] : first.value).map((name, place) => [plainName(name), place] as const))
  onHeader((name) => places.has(plainName(name)))
  let line = 1
  for (const row of rows) {
    line += 1
    onRecord({
      line,
      text: (...names) => {
        for (const name of names) {
          const place = places.get(plainName(name))
          const value = place === undefined ? '' : (row[place] ?? '')
          if (value !== '') return value
        }
        return ''
      },
    })
    if (line % rowsPerTurn === 0) await otherWork()
  }
}
