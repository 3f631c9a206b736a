import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import type { PreferenceMark, Preferences, PreferencesChange } from '../api/contract.ts'
import { sessionStore, storedUser } from '../api/session.ts'
import { readJson, writeJson } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** The signed-in user's choices for the console, and the changes not sent yet. */
export interface KnownPreferences {
  readonly all: Preferences
  readonly unsent: PreferencesChange
}

const nothingChosen: Preferences = { tables: {}, views: {}, default_views: {}, marks: {}, shared_views: {} }
const none: KnownPreferences = { all: nothingChosen, unsent: {} }

/** Choices by id; a change names some of them. */
const kinds = ['tables', 'views', 'default_views', 'marks'] as const
type Chosen = Readonly<Record<string, unknown>>

const keyOf = (userId: number) => `preferences:${userId}` as const

/**
 * The preferences stored in this browser. Readers of a layout check it (`layout.ts`), as an older console may have
 * written it.
 */
const storedPreferences = (): KnownPreferences => {
  const user = storedUser()
  const kept = user && readJson(keyOf(user.id))
  if (!isObject(kept) || !isObject(kept.all)) return none
  const all: Record<string, unknown> = { ...nothingChosen, ...kept.all }
  if (![...kinds, 'shared_views' as const].every((kind) => isObject(all[kind]))) return none
  return { all: all as unknown as Preferences, unsent: isObject(kept.unsent) ? kept.unsent : {} }
}

const store = createStore(storedPreferences())

const keep = (next: KnownPreferences): void => {
  const user = storedUser()
  if (user) writeJson(keyOf(user.id), next)
  store.set(next)
}

const laidOver = (all: Chosen, change: Chosen | undefined): Chosen =>
  Object.fromEntries(Object.entries({ ...all, ...change }).filter(([, value]) => value !== null))

/** Applies a change to preferences: an absent field stays, null removes. */
export const withChange = (all: Preferences, change: PreferencesChange): Preferences => {
  const { time_zone: before, ...rest } = all
  const zone = change.time_zone === undefined ? before : (change.time_zone ?? undefined)
  const chosen = Object.fromEntries(kinds.map((kind) => [kind, laidOver(all[kind], change[kind])]))
  return { ...rest, ...chosen, ...(zone === undefined ? {} : { time_zone: zone }) }
}

const joined = (earlier: PreferencesChange, later: PreferencesChange): PreferencesChange => ({
  ...earlier,
  ...later,
  ...Object.fromEntries(
    kinds.flatMap((kind) => (earlier[kind] || later[kind] ? [[kind, { ...earlier[kind], ...later[kind] }]] : [])),
  ),
})

/** The rest of a change once `sent` was sent; newer choices stay. */
const without = (change: PreferencesChange, sent: PreferencesChange): PreferencesChange => {
  const left = kinds.flatMap((kind) => {
    const sentValues: Chosen = sent[kind] ?? {}
    const entries = Object.entries(change[kind] ?? {}).filter(([id, value]) => value !== ownMember(sentValues, id))
    return entries.length === 0 ? [] : [[kind, Object.fromEntries(entries)]]
  })
  const zone = change.time_zone === sent.time_zone ? {} : { time_zone: change.time_zone }
  return { ...Object.fromEntries(left), ...(change.time_zone === undefined ? {} : zone) }
}

export const preferencesStore = {
  get: store.get,
  subscribe: store.subscribe,
  /** Applies and stores a choice at once; `preferences-sync.ts` sends it to the server. */
  change(change: PreferencesChange): void {
    const { all, unsent } = store.get()
    keep({ all: withChange(all, change), unsent: joined(unsent, change) })
  },
  /** The server's preferences with the unsent changes on top. */
  arrived(all: Preferences): void {
    const { unsent } = store.get()
    keep({ all: withChange(all, unsent), unsent })
  },
  /** The server knows this change now, or will never take it. */
  settled(sent: PreferencesChange): void {
    const { all, unsent } = store.get()
    keep({ all, unsent: without(unsent, sent) })
  },
}

let owner = storedUser()?.id
sessionStore.subscribe(() => {
  if (storedUser()?.id === owner) return
  owner = storedUser()?.id
  store.set(storedPreferences())
})

// Another window of this browser chose something.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (owner !== undefined && key === keyOf(owner)) store.set(storedPreferences())
})

export const usePreferences = (): Preferences => useStore(store).all

/** True if a one-time notice was completed or dismissed, and a function to set and reset it. */
export const useMark = (mark: PreferenceMark): readonly [set: boolean, change: (set: boolean) => void] => [
  usePreferences().marks[mark] === true,
  (set) => preferencesStore.change({ marks: { [mark]: set || null } }),
]
