import type { Page, UserNote } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'

export interface NoteStore {
  /** Newest first. */
  page(userId: number, slice: { p: number; page_size: number }): Promise<Page<UserNote>>
  add(userId: number, note: Omit<UserNote, 'id'>): Promise<UserNote>
  /** The text that was deleted; undefined where this user has no such note. */
  remove(userId: number, id: number): Promise<string | undefined>
}

/** Notes of operators about users. */
export const openNoteStore = (database: Database): NoteStore => {
  const { query } = database
  const of = (userId: number) => query.selectFrom('user_notes').where('user_id', '=', userId)
  return {
    async page(userId, { p, page_size }) {
      const [items, counted] = await Promise.all([
        of(userId)
          .select(['id', 'text', 'author_id', 'author_name', 'created_time'])
          .orderBy('id', 'desc')
          .limit(page_size)
          .offset((p - 1) * page_size)
          .execute(),
        of(userId)
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow(),
      ])
      return { items, total: Number(counted.rows), page: p, page_size }
    },
    add: async (userId, note) => ({
      ...note,
      id: await insertReturningId(query, 'user_notes', { ...note, user_id: userId }),
    }),
    async remove(userId, id) {
      const note = await of(userId).select('text').where('id', '=', id).executeTakeFirst()
      if (note === undefined) return undefined
      const { numDeletedRows } = await query.deleteFrom('user_notes').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n ? note.text : undefined
    },
  }
}
