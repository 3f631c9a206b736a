import { parseJson, parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import type { SourceRow } from './source.ts'

// Columns of other programs: the same column is number, text, bigint or boolean by engine and version, and often null.

/** A column that is not there is like one that is null. */
const cell = z.unknown().optional()

const textOf = (stored: unknown): string => {
  if (stored === null || stored === undefined) return ''
  if (stored instanceof Uint8Array) return Buffer.from(stored).toString('utf8')
  return typeof stored === 'object' ? JSON.stringify(stored) : String(stored)
}

/** Text; empty for null and for a column that is not there. */
export const text = cell.transform(textOf)

const numberOf = (stored: unknown): number => {
  if (typeof stored === 'boolean') return stored ? 1 : 0
  const written = textOf(stored).trim()
  if (written === '') return 0
  if (written === 'true' || written === 'false') return written === 'true' ? 1 : 0
  return Number(written)
}

/** A whole number, with a value for null and for a column that is not there. Refuses what a double does not hold exactly. */
export const wholeOr = (absent: number) =>
  cell.transform((stored, context) => {
    const number = stored === null || stored === undefined ? absent : numberOf(stored)
    if (Number.isSafeInteger(number)) return number
    context.addIssue({ code: 'custom', message: `${textOf(stored)} is no whole number below 2^53` })
    return z.NEVER
  })

/** The same; 0 for null. */
export const whole = wholeOr(0)

/** A number; null for null and for a column that is not there. */
export const real = cell.transform((stored) => {
  if (stored === null || stored === undefined) return null
  const number = numberOf(stored)
  return Number.isFinite(number) ? number : null
})

export const flag = cell.transform((stored) => numberOf(stored) !== 0)

/** A JSON object, as text or as the driver read it; empty for anything else. */
export const object = cell.transform((stored) => parseObject(textOf(stored)))

/** A list of text: an array, or JSON. */
export const texts = cell.transform((stored): readonly string[] => {
  const list = Array.isArray(stored) ? stored : parseJson(textOf(stored))
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
})

/** Unix seconds of a time that is text in UTC; null for null. */
export const moment = cell.transform((stored): number | null => {
  const written = textOf(stored).trim()
  if (written === '') return null
  if (/^\d+$/.test(written)) return Number(written)
  const hasZone = /\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(written)
  // Nine digits of a fraction are more than Date reads.
  const plain = written.replace(' ', 'T').replace(/\.(\d{3})\d*/, '.$1')
  const time = Date.parse(hasZone ? plain : `${plain}Z`)
  return Number.isNaN(time) ? 0 : Math.floor(time / 1000)
})

/** A row of another program's table, read. Throws Error that names the table, the row and the column that cannot be read. */
export const readRow = <Shape extends z.ZodType>(shape: Shape, cells: SourceRow, table: string): z.output<Shape> => {
  const read = shape.safeParse(cells)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const row = textOf(Object.values(cells)[0])
  throw new Error(
    `The table "${table}" of the source has a row (${row}) that cannot be read: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}
