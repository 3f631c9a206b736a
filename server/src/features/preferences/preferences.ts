import {
  longestPreferences,
  openTables,
  type Preferences,
  type PreferencesChange,
  role,
  type SharedViewsChange,
} from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { entriesOf, type PreferenceEntry, preferencesOf } from './entries.ts'

export interface PreferenceParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

interface Sharer {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export interface UserPreferences {
  /** Includes the shared views of the tables that this role may open. */
  of(user: { readonly id: number; readonly role: number }): Promise<Preferences>
  /** Throws AppError('preferences_full') where it would be too much. */
  change(userId: number, change: PreferencesChange): Promise<void>
  /** The same for the views of everybody. */
  share(by: Sharer, change: SharedViewsChange): Promise<void>
}

/** The user id of rows that all users share. */
const everybody = 0

const sizeOf = (entries: readonly PreferenceEntry[]): number =>
  entries.reduce((sum, { name, value }) => sum + name.length + value.length, 0)

const mayOpen = (table: string, userRole: number): boolean => userRole >= role.admin || openTables.includes(table)

/** Users' choices for the console. Each choice is a row of its own: of two windows, only the same choice is overwritten. */
export const openPreferences = ({ database, audit, clock }: PreferenceParts): UserPreferences => {
  const entries = (userId: number): Promise<PreferenceEntry[]> =>
    database.query.selectFrom('preferences').select(['name', 'value']).where('user_id', '=', userId).execute()

  const write = async (
    userId: number,
    change: PreferencesChange,
    within?: (trx: Transaction<Tables>) => Promise<void>,
  ): Promise<void> => {
    const { kept, forgotten } = entriesOf(change)
    const touched = new Set([...forgotten, ...kept.map(({ name }) => name)])
    const untouched = (await entries(userId)).filter(({ name }) => !touched.has(name))
    if (kept.length > 0 && sizeOf([...untouched, ...kept]) > longestPreferences) throw new AppError('preferences_full')
    const changed_time = unixSeconds(clock)
    const rows = kept.map((entry) => ({ user_id: userId, ...entry, changed_time }))
    await database.transaction(async (trx) => {
      if (forgotten.length > 0)
        await trx.deleteFrom('preferences').where('user_id', '=', userId).where('name', 'in', forgotten).execute()
      await upsert(trx, 'preferences', rows, { key: ['user_id', 'name'], set: ['value', 'changed_time'] })
      await within?.(trx)
    })
  }

  return {
    async of({ id, role: userRole }) {
      const [own, shared] = await Promise.all([entries(id), entries(everybody)])
      const views = Object.entries(preferencesOf(shared).views).filter(([, { table }]) => mayOpen(table, userRole))
      return { ...preferencesOf(own), shared_views: Object.fromEntries(views) }
    },

    change: (userId, change) => write(userId, change),

    async share({ ip, ...actor }, { views }) {
      const before = preferencesOf(await entries(everybody)).views
      await write(everybody, { views }, async (trx) => {
        for (const [id, view] of Object.entries(views)) {
          const facts = { before: ownMember(before, id) ?? {}, after: view ?? {} }
          await audit.record({ actor, action: 'view.share', object: 'view', objectId: id, ...facts, ip }, trx)
        }
      })
    },
  }
}
