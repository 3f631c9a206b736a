import type { Readable } from 'node:stream'
import { z } from 'zod'
import { reasonOf } from '../lib/reason-of.ts'

/**
 * A backup is lines of JSON: a head, then for each table its place and its rows as lists, then an end with the number of
 * all rows. The same lines go into any engine.
 */
const formatVersion = 1

const table = z.object({
  database: z.enum(['main', 'log']),
  name: z.string(),
  columns: z.array(z.string()),
  nextId: z.number().optional(),
})

const head = z.object({
  tollgate_backup: z.literal(formatVersion),
  /** Version of the program that wrote the backup. */
  version: z.string(),
  engine: z.string(),
  /** Unix seconds: the moment that the copy shows. */
  at: z.number(),
  /** True if logs had a database of their own. */
  log: z.boolean(),
  /** The steps of the schema that the database had made. */
  steps: z.array(z.string()),
})

const end = z.object({ end: z.literal(true), rows: z.number() })
const rowCells = z.array(z.union([z.string(), z.number(), z.null()]))
const line = z.union([rowCells, z.object({ table }), end])

export type BackupHead = z.output<typeof head>
export type BackedUpTable = z.output<typeof table>
export type BackupRow = z.output<typeof rowCells>

/** Part of a backup after its head. */
export type BackupPart =
  | { readonly kind: 'table'; readonly table: BackedUpTable }
  | { readonly kind: 'row'; readonly row: BackupRow }

export const printHead = (about: Omit<BackupHead, 'tollgate_backup'>): string =>
  `${JSON.stringify({ tollgate_backup: formatVersion, ...about })}\n`
export const printTable = (about: BackedUpTable): string => `${JSON.stringify({ table: about })}\n`
export const printRows = (rows: readonly (readonly (string | number | null)[])[]): string =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
export const printEnd = (rows: number): string => `${JSON.stringify({ end: true, rows })}\n`

const parsed = <Output>(schema: z.ZodType<Output>, text: string): Output => {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error('This is not a backup of Tollgate, or of a later version, or it is damaged.', { cause })
  }
}

/** The lines of a stream. Throws where it breaks off, which `readline` does not: compressed and encrypted bytes show damage on the way. */
async function* linesOf(source: Readable): AsyncGenerator<string, void> {
  let rest = ''
  try {
    for await (const chunk of source.setEncoding('utf8')) {
      const pieces = `${rest}${chunk}`.split('\n')
      rest = pieces.pop() ?? ''
      yield* pieces
    }
  } catch (cause) {
    throw new Error(`The backup is damaged or incomplete (${reasonOf(cause)}).`, { cause })
  }
  if (rest !== '') yield rest
}

/** Reads a backup: its head, and the rest as it is asked for. The rest throws at its end when lines are missing. */
export const readBackup = async (
  source: Readable,
): Promise<{ head: BackupHead; parts: AsyncGenerator<BackupPart, void> }> => {
  const lines = linesOf(source)
  const first = await lines.next()
  if (first.done === true) throw new Error('The backup is empty.')
  async function* parts(): AsyncGenerator<BackupPart, void> {
    let rows = 0
    for (;;) {
      const next = await lines.next()
      if (next.done === true) throw new Error(`The backup is cut off after ${rows} rows.`)
      const part = parsed(line, next.value)
      if (Array.isArray(part)) {
        rows += 1
        yield { kind: 'row', row: part }
      } else if ('table' in part) {
        yield { kind: 'table', table: part.table }
      } else {
        if (part.rows !== rows) throw new Error(`The backup has ${rows} rows instead of ${part.rows}.`)
        return
      }
    }
  }
  return { head: parsed(head, first.value), parts: parts() }
}
