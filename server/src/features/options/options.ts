import { isOptionKey, type Language, type OptionEntry, type OptionKey, type OptionValue } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Log } from '../../lib/log.ts'
import type { Secrets } from '../../lib/secrets.ts'
import type { Facts } from './audit-facts.ts'
import { changeOf, type OptionChange } from './change.ts'
import { holdState, type OptionListener } from './holder.ts'
import { openLane } from './lane.ts'
import { listEntries, storedSecrets } from './listing.ts'
import { type OptionSnapshot, stateFrom } from './snapshot.ts'
import { optionStore } from './store.ts'

/** Who changes an option. */
export interface OptionActor {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly ip: string
}

/** What the audit feature offers, as far as options need it. */
export type RecordOptionChange = (
  entry: {
    readonly actor: OptionActor
    readonly action: string
    readonly object: string
    readonly objectId: number
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
  set(key: string, text: string, actor: OptionActor): Promise<void>
  /** Back to the default. Throws like `set`. */
  reset(key: string, actor: OptionActor): Promise<void>
  /** What a role may see, as text, without secrets. */
  list(role: number, language: Language): OptionEntry[]
  /** Keys of the secrets that are stored, as far as a role may see them. */
  storedSecrets(role: number): OptionKey[]
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
  const inLane = openLane()
  const held = holdState(parts.log)
  const { reload, reloadSoon } = reloading(
    async () => {
      held.use(stateFrom(await store.readAll(), held.current(), secrets))
    },
    { inLane, log: parts.log },
  )

  const apply = async ({ key, row, before, after }: OptionChange, actor: OptionActor): Promise<void> => {
    const entry = { actor, action: 'option.update', object: 'option', objectId: 0, before, after, ip: actor.ip }
    await store.put(key, row, (trx) => parts.audit(entry, trx))
    const { rows } = held.current()
    held.use(stateFrom(withRow(rows, key, row), held.current(), secrets))
    bus.publish(topic, key)
  }

  const change = async (key: string, text: string | undefined, actor: OptionActor): Promise<void> => {
    if (!isOptionKey(key)) throw new AppError('option_unknown', { params: { key } })
    await inLane(async () => apply(changeOf({ key, text, actor, values: held.current().values, secrets }), actor))
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
    set: change,
    reset: (key, actor) => change(key, undefined, actor),
    list: (role, language) => listEntries(held.current(), role, language),
    storedSecrets: (role) => storedSecrets(held.current(), role),
    subscribe: held.subscribe,
    reload,
    close() {
      clearInterval(timer)
      unsubscribe()
      held.clear()
    },
  }
}

const withRow = (
  rows: ReadonlyMap<string, string>,
  key: string,
  row: string | undefined,
): ReadonlyMap<string, string> => {
  const others = [...rows].filter(([name]) => name !== key)
  return new Map(row === undefined ? others : [...others, [key, row]])
}

/** Several saves on another node come as several messages: one reading after the last of them is enough. */
const reloading = (
  read: () => Promise<void>,
  { inLane, log }: { inLane: ReturnType<typeof openLane>; log: Log },
): { reload: () => Promise<void>; reloadSoon: () => void } => {
  let waits = false
  const reload = (): Promise<void> =>
    inLane(() => {
      waits = false
      return read()
    })
  const reloadSoon = (): void => {
    if (waits) return
    waits = true
    reload().catch((error: unknown) => log.warn('the options could not be read again', { error }))
  }
  return { reload, reloadSoon }
}
