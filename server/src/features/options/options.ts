import type { Language, OptionEntry, OptionKey, OptionValue } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { RankedActor } from '../../http/actor.ts'
import type { Log } from '../../lib/log.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { createSerialQueue, type SerialQueue } from '../../lib/serial-queue.ts'
import { type Facts, type OptionChange, planChanges, type RefusedOption, type RequestedChange } from './change.ts'
import { holdState, type OptionListener } from './holder.ts'
import { differingSecrets, listEntries, storedSecrets } from './listing.ts'
import { type OptionSnapshot, stateFrom } from './snapshot.ts'
import { optionStore } from './store.ts'

/** Recording of an option's change, as the audit feature offers it. */
export type RecordOptionChange = (
  entry: {
    readonly actor: RankedActor
    readonly action: string
    readonly object: string
    readonly objectId: string
    readonly before: Facts
    readonly after: Facts
    readonly ip: string
  },
  trx: Transaction<Tables>,
) => Promise<void>

export interface Options {
  /** From memory; the same for all that asks before the next change. */
  get<K extends OptionKey>(key: K): OptionValue<K>
  snapshot(): OptionSnapshot
  /** Checks, stores, applies here and tells the other nodes. Throws `option_unknown`, `permission_denied`, `option_invalid`, `option_requires`. */
  set(key: string, text: string, actor: RankedActor): Promise<void>
  /**
   * Checks several and saves them in one step, or none of them when one is refused; what `was` says is compared with what
   * any node has saved so far. Answers the refusals.
   */
  setAll(changes: readonly RequestedChange[], actor: RankedActor): Promise<readonly RefusedOption[]>
  /** Back to the default. Throws like `set`. */
  reset(key: string, actor: RankedActor): Promise<void>
  /** Options that a role may see, as text, without secrets. */
  list(role: number, language: Language): OptionEntry[]
  /** Keys of the secrets that are stored, as far as a role may see them. */
  storedSecrets(role: number): OptionKey[]
  /** Keys of the secrets that hold something else. Throws `option_unknown`. */
  differingSecrets(secrets: readonly { readonly key: string; readonly value: string }[]): string[]
  /** Called after every change, from this node or another. Returns the function that ends the subscription. */
  subscribe(listener: OptionListener): () => void
  /** Reads the database again. */
  reload(): Promise<void>
  close(): void
}

export interface OptionParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly bus: Bus
  readonly log: Log
  readonly syncFrequencyMs: number
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string | undefined
  readonly audit: RecordOptionChange
}

const topic = 'options'

/**
 * Opens the options of the site: an immutable snapshot in memory, replaced when an option is saved here or on another
 * node, and checked against the database every `syncFrequencyMs`.
 */
export const openOptions = async (parts: OptionParts): Promise<Options> => {
  const { bus, secrets } = parts
  const store = optionStore(parts.database)
  const queue = createSerialQueue()
  const held = holdState(parts.log)
  const read = async (): Promise<void> => {
    held.use(stateFrom(await store.readAll(), held.current(), parts))
  }
  const { reload, reloadSoon } = reloading(read, { queue, log: parts.log })

  const apply = async (planned: readonly OptionChange[], actor: RankedActor): Promise<void> => {
    const { rows } = held.current()
    const changes = planned.filter(({ key, row }) => rows.get(key) !== row)
    if (changes.length === 0) return
    await store.put(changes, async (trx) => {
      for (const { key, before, after } of changes) {
        const entry = { actor, action: 'option.update', object: 'option', objectId: key, before, after, ip: actor.ip }
        await parts.audit(entry, trx)
      }
    })
    held.use(stateFrom(withRows(rows, changes), held.current(), parts))
    bus.publish(topic, changes.map(({ key }) => key).join(','))
  }

  const change = async (
    requested: readonly RequestedChange[],
    actor: RankedActor,
  ): Promise<readonly RefusedOption[]> => {
    const { values } = held.current()
    const { changes, refused } = planChanges(requested, { actor, values, secrets })
    if (refused.length === 0) await apply(changes, actor)
    return refused
  }

  const changeOne = async (requested: RequestedChange, actor: RankedActor): Promise<void> => {
    const [refusal] = await queue.run(() => change([requested], actor))
    if (refusal !== undefined) throw refusal.error
  }

  // Before the first reading, so that no change falls between the two.
  const unsubscribe = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync' || !notice.own) reloadSoon()
  })
  await reload()
  const timer = setInterval(reloadSoon, parts.syncFrequencyMs)
  timer.unref()

  return {
    get: (key) => held.current().values[key],
    snapshot: () => held.current().values,
    set: (key, text, actor) => changeOne({ key, text }, actor),
    setAll: (changes, actor) =>
      queue.run(async () => {
        await read()
        return change(changes, actor)
      }),
    reset: (key, actor) => changeOne({ key, text: undefined }, actor),
    list: (role, language) => listEntries(held.current(), role, language),
    storedSecrets: (role) => storedSecrets(held.current(), role),
    differingSecrets: (texts) => differingSecrets(held.current(), texts),
    subscribe: held.subscribe,
    reload,
    close() {
      clearInterval(timer)
      unsubscribe()
      held.clear()
    },
  }
}

const withRows = (rows: ReadonlyMap<string, string>, changes: readonly OptionChange[]): ReadonlyMap<string, string> => {
  const next = new Map(rows)
  for (const { key, row } of changes) {
    if (row === undefined) next.delete(key)
    else next.set(key, row)
  }
  return next
}

/** Several saves on another node come as several messages: one reading after the last of them is enough. */
const reloading = (
  read: () => Promise<void>,
  { queue, log }: { queue: SerialQueue; log: Log },
): { reload: () => Promise<void>; reloadSoon: () => void } => {
  let waits = false
  const reload = (): Promise<void> =>
    queue.run(() => {
      waits = false
      return read()
    })
  const reloadSoon = (): void => {
    if (waits) return
    waits = true
    reload().catch((error: unknown) => log.warn('option_reload_failed', { error }))
  }
  return { reload, reloadSoon }
}
