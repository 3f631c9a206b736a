import { mostVirtualModels, type VirtualModel, type VirtualModelChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'
import {
  addVirtualModel,
  changeVirtualModel,
  countVirtualModels,
  isNameTaken,
  readVirtualModel,
  removeVirtualModel,
} from '#server/features/virtual-models/store.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'

export interface VirtualModelParts {
  readonly database: Pick<Database, 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
  /** Makes every node read them anew. */
  refresh(): Promise<void>
}

export interface VirtualModels {
  /** Throws virtual_model_taken, virtual_models_full and what `check` throws. */
  create(change: VirtualModelChange, by: Actor): Promise<VirtualModel>
  /** Throws virtual_model_not_found as well. */
  update(id: number, change: VirtualModelChange, by: Actor): Promise<VirtualModel>
  /** Throws virtual_model_not_found. */
  remove(id: number, by: Actor): Promise<void>
}

/** Checks beyond the schema of single fields. Throws AppErrors that name the rule or the model. */
const check = ({ rules, steps }: VirtualModelChange): void => {
  const names = new Set<string>()
  for (const { name } of rules) {
    if (names.has(name)) throw new AppError('virtual_model_rule_taken', { params: { name } })
    names.add(name)
  }
  for (const { when, name } of rules) {
    const { prompt_from: from = 0, prompt_below: below } = when
    if (below !== undefined && below <= from) {
      throw new AppError('virtual_model_rule_span', { params: { name } })
    }
    if (Object.values(when).every((part) => part === undefined)) {
      throw new AppError('virtual_model_rule_empty', { params: { name } })
    }
  }
  for (const target of [...rules.flatMap((rule) => rule.steps), ...steps].flatMap(({ targets }) => targets)) {
    if (target.until !== 0 && target.until <= target.from) {
      throw new AppError('virtual_model_dates', { params: { model: target.model } })
    }
  }
}

/** Changes of virtual models by operators: stored, audited, and read by every node. */
export const createVirtualModels = ({ database, audit, clock, refresh }: VirtualModelParts): VirtualModels => {
  const leaveTrace = (
    trx: Transaction<Tables>,
    { verb, id }: { readonly verb: string; readonly id: number },
    { ip, ...actor }: Actor,
    facts: Pick<Trace, 'before' | 'after'>,
  ): Promise<void> =>
    audit.record({ actor, action: `virtual_model.${verb}`, object: 'virtual_model', objectId: id, ...facts, ip }, trx)

  const mustBeFree = async (trx: Transaction<Tables>, name: string, except: number): Promise<void> => {
    if (await isNameTaken(trx, name, except)) throw new AppError('virtual_model_taken', { params: { name } })
  }

  const mustExist = async (trx: Transaction<Tables>, id: number): Promise<VirtualModel> => {
    const found = await readVirtualModel(trx, id)
    if (found === undefined) throw new AppError('virtual_model_not_found')
    return found
  }

  return {
    async create(change, by) {
      check(change)
      const now = unixSeconds(clock)
      const id = await database.transaction(async (trx) => {
        if ((await countVirtualModels(trx)) >= mostVirtualModels) {
          throw new AppError('virtual_models_full', { params: { most: mostVirtualModels } })
        }
        await mustBeFree(trx, change.name, 0)
        const added = await addVirtualModel(trx, change, now)
        await leaveTrace(trx, { verb: 'create', id: added }, by, { after: { ...change } })
        return added
      })
      await refresh()
      return { ...change, id, changed_time: now }
    },

    async update(id, change, by) {
      check(change)
      const now = unixSeconds(clock)
      await database.transaction(async (trx) => {
        const { id: _id, changed_time: _time, ...before } = await mustExist(trx, id)
        await mustBeFree(trx, change.name, id)
        await changeVirtualModel(trx, id, change, now)
        await leaveTrace(trx, { verb: 'update', id }, by, { before, after: { ...change } })
      })
      await refresh()
      return { ...change, id, changed_time: now }
    },

    async remove(id, by) {
      await database.transaction(async (trx) => {
        const { id: _id, changed_time: _time, ...before } = await mustExist(trx, id)
        await removeVirtualModel(trx, id)
        await leaveTrace(trx, { verb: 'delete', id }, by, { before })
      })
      await refresh()
    },
  }
}
