import { role } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** Recipient of a notice. */
export interface Recipient {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly quota: number
  /** JSON text, see `setting.ts`. */
  readonly setting: string
}

export interface Recipients {
  /** Cancelled users get no notices. */
  byId(id: number): Promise<Recipient | undefined>
  /** The first super admin. */
  root(): Promise<Recipient | undefined>
  settingsOf(ids: readonly number[]): Promise<readonly Pick<Recipient, 'id' | 'setting'>[]>
  /** Writes the settings if they still are what they were; nothing else of the row is touched. */
  replaceSetting(trx: Transaction<Tables>, row: Recipient, setting: string): Promise<boolean>
}

const idsPerQuery = 500

export const openRecipients = ({ query }: Pick<Database, 'query'>): Recipients => {
  const living = () => query.selectFrom('users').where('deleted_at', 'is', null)
  const recipients = () => living().select(['id', 'username', 'email', 'quota', 'setting'])
  return {
    byId: (id) => recipients().where('id', '=', id).executeTakeFirst(),
    root: () => recipients().where('role', '=', role.root).orderBy('id').limit(1).executeTakeFirst(),
    async settingsOf(ids) {
      const found: Pick<Recipient, 'id' | 'setting'>[] = []
      for (let start = 0; start < ids.length; start += idsPerQuery) {
        const some = ids.slice(start, start + idsPerQuery)
        found.push(...(await living().select(['id', 'setting']).where('id', 'in', some).execute()))
      }
      return found
    },
    async replaceSetting(trx, row, setting) {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ setting })
        .where('id', '=', row.id)
        .where('setting', '=', row.setting)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
