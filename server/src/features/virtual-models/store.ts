import { type VirtualModel, type VirtualModelChange, virtualModelChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'

type Reader = Pick<Database['query'], 'selectFrom'>

interface Row {
  readonly id: number
  readonly name: string
  readonly spec: string
  readonly changed_time: number
}

const modelOf = ({ id, name, spec, changed_time }: Row): VirtualModel => ({
  ...virtualModelChange.parse({ ...JSON.parse(spec), name }),
  id,
  changed_time,
})

const columnsOf = ({ name, ...spec }: VirtualModelChange, changed_time: number) => ({
  name,
  spec: JSON.stringify(spec),
  changed_time,
})

const rows = (on: Reader) => on.selectFrom('virtual_models').select(['id', 'name', 'spec', 'changed_time'])

/** All of them, in the order of their names. */
export const readVirtualModels = async (on: Reader): Promise<VirtualModel[]> =>
  (await rows(on).orderBy('name').execute()).map(modelOf)

export const readVirtualModel = async (on: Reader, id: number): Promise<VirtualModel | undefined> => {
  const row = await rows(on).where('id', '=', id).executeTakeFirst()
  return row && modelOf(row)
}

/** The one of that name, beside the one with an id. */
export const isNameTaken = async (on: Reader, name: string, except: number): Promise<boolean> =>
  (await on
    .selectFrom('virtual_models')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined

export const countVirtualModels = async (on: Reader): Promise<number> => {
  const { count } = await on
    .selectFrom('virtual_models')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Gives back the id. */
export const addVirtualModel = (trx: Transaction<Tables>, change: VirtualModelChange, now: number): Promise<number> =>
  insertReturningId(trx, 'virtual_models', columnsOf(change, now))

export const changeVirtualModel = async (
  trx: Transaction<Tables>,
  id: number,
  change: VirtualModelChange,
  now: number,
): Promise<void> => {
  await trx.updateTable('virtual_models').set(columnsOf(change, now)).where('id', '=', id).execute()
}

export const removeVirtualModel = async (trx: Transaction<Tables>, id: number): Promise<void> => {
  await trx.deleteFrom('virtual_models').where('id', '=', id).execute()
}
