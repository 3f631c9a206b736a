import { type Preferences, type PreferencesChange, preferences } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'

/** One choice as it is stored: a name and JSON. */
export interface PreferenceEntry {
  readonly name: string
  readonly value: string
}

const zoneName = 'time_zone'
/** Prefixes of the rows' names, for choices that are made for each of several things. */
const prefixes = { tables: 'table.', views: 'view.', default_views: 'default_view.', marks: 'mark.' } as const
type Kind = keyof typeof prefixes
const kinds = Object.keys(prefixes) as Kind[]

/** Rows that a change writes and deletes, choice by choice. */
export const entriesOf = (
  change: PreferencesChange,
): { readonly kept: PreferenceEntry[]; readonly forgotten: string[] } => {
  const changed: (readonly [name: string, value: unknown])[] = kinds.flatMap((kind) =>
    Object.entries(change[kind] ?? {}).map(([id, value]) => [`${prefixes[kind]}${id}`, value] as const),
  )
  if (change.time_zone !== undefined) changed.push([zoneName, change.time_zone])
  return {
    kept: changed.flatMap(([name, value]) => (value === null ? [] : [{ name, value: JSON.stringify(value) }])),
    forgotten: changed.flatMap(([name, value]) => (value === null ? [name] : [])),
  }
}

/** The default preferences. */
export const nothingChosen = (): Preferences => ({
  tables: {},
  views: {},
  default_views: {},
  marks: {},
  shared_views: {},
})

const partOf = ({ name, value }: PreferenceEntry): unknown => {
  if (name === zoneName) return { ...nothingChosen(), time_zone: parseJson(value) }
  const kind = kinds.find((entry) => name.startsWith(prefixes[entry]))
  return kind && { ...nothingChosen(), [kind]: { [name.slice(prefixes[kind].length)]: parseJson(value) } }
}

/** The choices together. What another version wrote and this one cannot read counts as never chosen. */
export const preferencesOf = (entries: readonly PreferenceEntry[]): Preferences => {
  const all = nothingChosen()
  for (const entry of entries) {
    const part = preferences.safeParse(partOf(entry)).data
    if (part?.time_zone !== undefined) all.time_zone = part.time_zone
    for (const kind of kinds) Object.assign(all[kind], part?.[kind])
  }
  return all
}
