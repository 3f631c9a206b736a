import { type Limit, type LimitChange, limitChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'

type Reader = Pick<Database['query'], 'selectFrom'>

interface Row {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly spec: string
  readonly changed_time: number
}

const limitOf = ({ id, owner_id, name, spec, changed_time }: Row): Limit => ({
  ...limitChange.parse({ ...JSON.parse(spec), name }),
  id,
  owner_id,
  changed_time,
})

const columnsOf = ({ name, ...spec }: LimitChange, changed_time: number) => ({
  name,
  changed_time,
  spec: JSON.stringify(spec),
})

const rows = (on: Reader) => on.selectFrom('call_limits').selectAll()

/** All of them by name, or those of one owner (0 for the site). */
export const readLimits = async (on: Reader, owner?: number): Promise<Limit[]> => {
  const some = owner === undefined ? rows(on) : rows(on).where('owner_id', '=', owner)
  return (await some.orderBy('name').orderBy('id').execute()).map(limitOf)
}

export const readLimit = async (on: Reader, id: number): Promise<Limit | undefined> => {
  const row = await rows(on).where('id', '=', id).executeTakeFirst()
  return row && limitOf(row)
}

/** How many an owner has. */
export const countLimits = async (on: Reader, owner: number): Promise<number> => {
  const { count } = await on
    .selectFrom('call_limits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Answers its id. */
export const addLimit = (
  trx: Transaction<Tables>,
  owner_id: number,
  change: LimitChange,
  now: number,
): Promise<number> => insertReturningId(trx, 'call_limits', { owner_id, ...columnsOf(change, now) })

export const changeLimit = async (
  trx: Transaction<Tables>,
  id: number,
  change: LimitChange,
  now: number,
): Promise<void> => {
  await trx.updateTable('call_limits').set(columnsOf(change, now)).where('id', '=', id).execute()
}

/** Deletes a limit with everything that was counted for it. */
export const removeLimit = async (trx: Transaction<Tables>, id: number): Promise<void> => {
  await trx.deleteFrom('call_limits').where('id', '=', id).execute()
  await trx.deleteFrom('limit_counts').where('limit_id', '=', id).execute()
  await trx.deleteFrom('limit_notices').where('limit_id', '=', id).execute()
  await trx.deleteFrom('limit_paces').where('limit_id', '=', id).execute()
}

/** True if a key is one of a user's. */
export const isOwnKey = async (on: Reader, userId: number, key: number): Promise<boolean> =>
  (await on
    .selectFrom('tokens')
    .select('id')
    .where('id', '=', key)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined
