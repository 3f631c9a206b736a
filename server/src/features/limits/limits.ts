import { type Limit, type LimitChange, mostLimits, mostOwnLimits } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { addLimit, changeLimit, countLimits, isOwnKey, readLimit, readLimits, removeLimit } from './store.ts'

interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export interface LimitServiceParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  /** Refuses addresses of webhooks that may not be called. Throws AppError. */
  assertTarget(target: string): Promise<void>
  /** Called with all enabled ones whenever one changes, on every node. */
  changed(limits: readonly Limit[]): void
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

/** Limits of the site and, with an owner, those that a user has set on own keys. */
export interface Limits {
  /** By name; those of one owner, or all. */
  list(owner?: number): Promise<Limit[]>
  /** Throws limits_full and limit_key_not_own. */
  create(change: LimitChange, by: Actor, owner?: number): Promise<Limit>
  /** Adds one of the site in a transaction; call `refresh` once that is committed. Answers its id. Throws limits_full. */
  createIn(trx: Transaction<Tables>, change: LimitChange, by: Actor): Promise<number>
  /** Throws limit_not_found and limit_key_not_own. */
  update(id: number, change: LimitChange, by: Actor, owner?: number): Promise<Limit>
  /** Throws limit_not_found. */
  remove(id: number, by: Actor, owner?: number): Promise<void>
  /** Reads them anew where a command has changed them in the database. */
  look(): Promise<void>
  /** Reads them anew on every node. */
  refresh(): Promise<void>
  /** Ends the watch over the other nodes. */
  close(): void
}

const topic = 'call_limits'

/** Limits of calls: stored, audited, and known to the relay of every node. */
export const openLimits = async (parts: LimitServiceParts): Promise<Limits> => {
  const { database, audit, bus, clock, warn } = parts
  const queue = createSerialQueue()

  let last = ''
  const read = async (): Promise<void> => {
    const enabled = (await readLimits(database.query)).filter((limit) => limit.enabled)
    const text = JSON.stringify(enabled)
    if (text === last) return
    last = text
    parts.changed(enabled)
  }
  const publish = async (): Promise<void> => {
    bus.publish(topic)
    await queue.run(read)
  }
  const stop = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && notice.own) return
    queue.run(read).catch((error: unknown) => warn('limits_not_read', { error }))
  })
  await queue.run(read)

  const leaveTrace = (
    trx: Transaction<Tables>,
    { verb, id }: { readonly verb: string; readonly id: number },
    { ip, ...actor }: Actor,
    facts: Pick<Trace, 'before' | 'after'>,
  ): Promise<void> => audit.record({ actor, action: `limit.${verb}`, object: 'limit', objectId: id, ...facts, ip }, trx)

  /** A user limits own keys alone, one by one; a second subject narrows it. */
  const assertOwn = async (trx: Transaction<Tables>, { subjects }: LimitChange, owner: number): Promise<void> => {
    if (owner === 0) return
    const key = subjects.find(({ kind }) => kind === 'key')?.value ?? ''
    if (!/^\d{1,15}$/.test(key) || !(await isOwnKey(trx, owner, Number(key)))) throw new AppError('limit_key_not_own')
  }

  const mustExist = async (trx: Transaction<Tables>, id: number, owner: number | undefined): Promise<Limit> => {
    const found = await readLimit(trx, id)
    if (found === undefined || (owner !== undefined && found.owner_id !== owner)) throw new AppError('limit_not_found')
    return found
  }

  const assertTargets = async ({ also_notify: targets }: LimitChange): Promise<void> => {
    for (const target of targets) await parts.assertTarget(target)
  }

  const changeOf = ({ id: _id, owner_id: _owner, changed_time: _time, ...change }: Limit): LimitChange => change

  /** Adds a limit and its trace, and answers its id. */
  const add = async (
    trx: Transaction<Tables>,
    { change, owner, changed_time }: { change: LimitChange; owner: number; changed_time: number },
    by: Actor,
  ): Promise<number> => {
    const most = owner === 0 ? mostLimits : mostOwnLimits
    await assertOwn(trx, change, owner)
    if ((await countLimits(trx, owner)) >= most) throw new AppError('limits_full', { params: { most } })
    const added = await addLimit(trx, owner, change, changed_time)
    await leaveTrace(trx, { verb: 'create', id: added }, by, { after: { ...change } })
    return added
  }

  return {
    list: (owner) => readLimits(database.query, owner),

    async create(change, by, owner = 0) {
      await assertTargets(change)
      const changed_time = unixSeconds(clock)
      const id = await database.transaction((trx) => add(trx, { change, owner, changed_time }, by))
      await publish()
      return { ...change, id, owner_id: owner, changed_time }
    },

    createIn: (trx, change, by) => add(trx, { change, owner: 0, changed_time: unixSeconds(clock) }, by),

    async update(id, change, by, owner) {
      await assertTargets(change)
      const changed_time = unixSeconds(clock)
      const before = await database.transaction(async (trx) => {
        const found = await mustExist(trx, id, owner)
        await assertOwn(trx, change, found.owner_id)
        await changeLimit(trx, id, change, changed_time)
        await leaveTrace(trx, { verb: 'update', id }, by, { before: changeOf(found), after: { ...change } })
        return found
      })
      await publish()
      return { ...change, id, owner_id: before.owner_id, changed_time }
    },

    async remove(id, by, owner) {
      await database.transaction(async (trx) => {
        const found = await mustExist(trx, id, owner)
        await removeLimit(trx, id)
        await leaveTrace(trx, { verb: 'delete', id }, by, { before: changeOf(found) })
      })
      await publish()
    },

    look: () => queue.run(read),
    refresh: publish,
    close: stop,
  }
}
