import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import type { PreferenceMark, Preferences, PreferencesChange } from '../api/contract.ts'
import { sessionStore, storedUser } from '../api/session.ts'
import { readJson, writeJson } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** What the signed-in person chose for the console, and what of it the server was not told yet. */
export interface KnownPreferences {
  readonly all: Preferences
  readonly unsent: PreferencesChange
}

const nothingChosen: Preferences = { tables: {}, views: {}, default_views: {}, marks: {}, shared_views: {} }
const none: KnownPreferences = { all: nothingChosen, unsent: {} }

/** What is chosen for each of several things; a change names some of them. */
const kinds = ['tables', 'views', 'default_views', 'marks'] as const
type Chosen = Readonly<Record<string, unknown>>

const keyOf = (userId: number) => `preferences:${userId}` as const

/** What this browser remembers; who reads a layout checks it (`layout.ts`), as an older console may have written it. */
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

/** Lays a change over preferences: what it does not name stays, null forgets. */
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

/** What is left of a change once `sent` was told; what was chosen anew meanwhile stays. */
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
  /** Something was chosen: it holds at once and is remembered; `preferences-sync.ts` tells the server. */
  change(change: PreferencesChange): void {
    const { all, unsent } = store.get()
    keep({ all: withChange(all, change), unsent: joined(unsent, change) })
  },
  /** The server's preferences, with what it was not told yet laid over them. */
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

/** Whether something was done or put away for good, and how to say so or to take it back. */
export const useMark = (mark: PreferenceMark): readonly [set: boolean, change: (set: boolean) => void] => [
  usePreferences().marks[mark] === true,
  (set) => preferencesStore.change({ marks: { [mark]: set || null } }),
]
