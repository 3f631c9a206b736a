import { type RawBuilder, sql } from 'kysely'

const mostIds = 250

/** Lists of ids that fit a statement, in rising order: every transaction locks rows in the same order. */
export const idChunks = (ids: Iterable<number>): number[][] => {
  const sorted = [...ids].sort((left, right) => left - right)
  const chunks: number[][] = []
  for (let start = 0; start < sorted.length; start += mostIds) chunks.push(sorted.slice(start, start + mostIds))
  return chunks
}

/**
 * A number per row, looked up by `id`, so that one statement changes many rows differently on every engine. The numbers
 * are written into the text: as parameters PostgreSQL would take them for 32-bit ones.
 */
export const byId = (ids: readonly number[], numberOf: (id: number) => number): RawBuilder<number> => {
  const cases = ids.map((id) => `when ${whole(id)} then ${whole(numberOf(id))}`).join(' ')
  return sql<number>`(case id ${sql.raw(cases)} else 0 end)`
}

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe whole number: ${value}`)
  return value
}
