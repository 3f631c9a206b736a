import type { Insertable, Selectable } from 'kysely'

/** A row of each table, with every column but the number that the database gives. */
export type FullRows<Tables> = {
  readonly [T in keyof Tables]: Omit<Selectable<Tables[T]>, 'id'> & Insertable<Tables[T]>
}

/** Values that are hard to store: a second after 2038, the largest exact number, and texts of many bytes. */
export const time = 4_000_000_000
export const most = Number.MAX_SAFE_INTEGER
export const longKey = '文'.repeat(255)
export const longText = '文🚪\\\'"%_\n'.repeat(20_000)
