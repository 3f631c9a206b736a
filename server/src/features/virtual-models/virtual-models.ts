import { mostVirtualModels, type VirtualModel, type VirtualModelChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { type RelayVirtualModel, relayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import {
  addVirtualModel,
  changeVirtualModel,
  countVirtualModels,
  isNameTaken,
  readVirtualModel,
  readVirtualModels,
  removeVirtualModel,
} from './store.ts'

interface Operator {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export interface VirtualModelParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  /** Called with all enabled ones whenever one changes, on every node. */
  changed(models: readonly RelayVirtualModel[]): void
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface VirtualModels {
  /** In the order of their names. */
  list(): Promise<VirtualModel[]>
  /** Throws virtual_model_taken, virtual_models_full and what `check` throws. */
  create(change: VirtualModelChange, by: Operator): Promise<VirtualModel>
  /** Throws virtual_model_not_found as well. */
  update(id: number, change: VirtualModelChange, by: Operator): Promise<VirtualModel>
  /** Throws virtual_model_not_found. */
  remove(id: number, by: Operator): Promise<void>
  /** Reads all of them anew on this node: another process, such as a command, may have written some. */
  look(): Promise<void>
  /** Reads all of them anew, here and on the other nodes: something else has written some. */
  refresh(): Promise<void>
  /** Ends the watch over the other nodes. */
  close(): void
}

const topic = 'virtual_models'

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

/** Names that stand for lists of models and channels: stored, audited, and known to the relay of every node. */
export const openVirtualModels = async (parts: VirtualModelParts): Promise<VirtualModels> => {
  const { database, audit, bus, clock, warn } = parts
  const queue = createSerialQueue()

  let last = ''
  const read = async (): Promise<void> => {
    const enabled = (await readVirtualModels(database.query)).filter((model) => model.enabled)
    const text = JSON.stringify(enabled)
    if (text === last) return
    last = text
    parts.changed(enabled.map(relayVirtualModel))
  }
  const publish = async (): Promise<void> => {
    bus.publish(topic)
    await queue.run(read)
  }
  const stop = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && notice.own) return
    queue.run(read).catch((error: unknown) => warn('virtual_models_not_read', { error }))
  })
  await queue.run(read)

  const leaveTrace = (
    trx: Transaction<Tables>,
    { verb, id }: { readonly verb: string; readonly id: number },
    { ip, ...actor }: Operator,
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
    list: () => readVirtualModels(database.query),

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
      await publish()
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
      await publish()
      return { ...change, id, changed_time: now }
    },

    async remove(id, by) {
      await database.transaction(async (trx) => {
        const { id: _id, changed_time: _time, ...before } = await mustExist(trx, id)
        await removeVirtualModel(trx, id)
        await leaveTrace(trx, { verb: 'delete', id }, by, { before })
      })
      await publish()
    },

    look: () => queue.run(read),
    refresh: publish,

    close: stop,
  }
}
