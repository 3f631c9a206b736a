import { ownMember } from '@tollgate/contract/own-member'
import { useMemo, useRef } from 'react'
import type { Key } from '../registry.ts'
import { fullOptionOf } from '../saving/full-option.ts'
import { type FieldActions, useSettings } from '../settings-state.ts'

/** What a model's price is made of, and the option that holds each part. */
export const priceOptions = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
  audio: 'AudioRatio',
  audioCompletion: 'AudioCompletionRatio',
  cacheWrite: 'CacheWriteRatio',
  cacheWrite1h: 'CacheWrite1hRatio',
  priority: 'ServiceTierRatios',
  flex: 'ServiceTierRatios',
  batch: 'ServiceTierRatios',
  ultrafast: 'ServiceTierRatios',
} as const satisfies Readonly<Record<string, Key>>

export type PricePart = keyof typeof priceOptions
export const parts = Object.keys(priceOptions) as readonly PricePart[]

/** Parts that one option holds by tier and model: `priority:my-model`. */
export const tierParts = ['priority', 'flex', 'batch', 'ultrafast'] as const satisfies readonly PricePart[]
export type TierPart = (typeof tierParts)[number]
export const isTier = (part: PricePart): part is TierPart => (tierParts as readonly PricePart[]).includes(part)

type Figures = Readonly<Record<string, number>>
type Maps = Readonly<Record<PricePart, Figures>>

/** Maps whose names form the list of models: audio factors alone do not make a price. */
const naming: readonly PricePart[] = ['price', 'ratio', 'completion', 'cache']

/** The parts of one model's price; absent where its map does not name it. */
export type ModelParts = { readonly [P in PricePart]?: number }

/** null removes the model from the part's map. */
export type PartChanges = { readonly [P in PricePart]?: number | null }

const readMap = (key: Key, text: string): Figures | undefined => {
  const reading = fullOptionOf(key).read(text)
  return reading.ok ? (reading.value as Figures) : undefined
}

/** The figures of a part by model: those of a tier are the entries of its name, without the rules for beginnings of names. */
const partMap = (part: PricePart, map: Figures): Figures => {
  if (!isTier(part)) return map
  const start = `${part}:`
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) =>
      key.startsWith(start) && !key.endsWith('*') ? [[key.slice(start.length), value]] : [],
    ),
  )
}

const readMaps = (textOf: (key: Key) => string): Maps | undefined => {
  const maps = parts.map((part) => {
    const map = readMap(priceOptions[part], textOf(priceOptions[part]))
    return [part, map && partMap(part, map)] as const
  })
  return maps.some(([, map]) => map === undefined) ? undefined : (Object.fromEntries(maps) as unknown as Maps)
}

const partsOf = (maps: Maps | undefined, name: string): ModelParts =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const value = maps && ownMember(maps[part], name)
      return value === undefined ? [] : [[part, value]]
    }),
  )

const changedMap = (map: Figures, part: PricePart, changes: ReadonlyMap<string, PartChanges>): Figures => {
  const next = new Map(Object.entries(map))
  for (const [name, change] of changes) {
    const value = change[part]
    const key = isTier(part) ? `${part}:${name}` : name
    if (value === null) next.delete(key)
    else if (value !== undefined) next.set(key, value)
  }
  return Object.fromEntries(next)
}

/** The price maps of the options as one list of models. Edits become drafts of the options, like any other. */
export interface PriceMaps {
  /** Undefined while the JSON of one of the maps cannot be read. */
  readonly names: readonly string[] | undefined
  of(name: string): ModelParts
  /** As they are in force. */
  stored(name: string): ModelParts
  change(changes: ReadonlyMap<string, PartChanges>): void
  readonly writable: boolean
  readonly quotaPerUnit: number
}

export const usePriceMaps = (): PriceMaps => {
  const settings = useSettings()
  const texts = parts.map((part) => settings.text(priceOptions[part]))
  const storedTexts = parts.map((part) => settings.stored.values.get(priceOptions[part]) ?? '{}')
  // The maps are long, so they are read again only when one of their texts differs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are the dependencies, one by one
  const maps = useMemo(() => readMaps((key) => settings.text(key)), texts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const stored = useMemo(() => readMaps((key) => settings.stored.values.get(key) ?? '{}'), storedTexts)
  const names = useMemo(() => maps && [...new Set(naming.flatMap((part) => Object.keys(maps[part])))].sort(), [maps])
  const { actions } = settings
  const wholeRef = useRef(settings.text)
  wholeRef.current = settings.text
  const writable = parts.every((part) => settings.canWrite(priceOptions[part]))
  const quotaPerUnit = Number(settings.stored.values.get('QuotaPerUnit')) || 1
  return useMemo(
    () => ({
      names,
      of: (name) => partsOf(maps, name),
      stored: (name) => partsOf(stored, name),
      change: (changes) => maps && editMaps(wholeRef.current, changes, actions),
      writable,
      quotaPerUnit,
    }),
    [names, maps, stored, actions, writable, quotaPerUnit],
  )
}

const editMaps = (
  textOf: (key: Key) => string,
  changes: ReadonlyMap<string, PartChanges>,
  actions: FieldActions,
): void => {
  // Several parts are of one option, so that each change builds on the one before.
  const edited = new Map<Key, Figures>()
  for (const part of parts) {
    if (![...changes.values()].some((change) => change[part] !== undefined)) continue
    const key = priceOptions[part]
    edited.set(key, changedMap(edited.get(key) ?? readMap(key, textOf(key)) ?? {}, part, changes))
  }
  for (const [key, map] of edited) actions.edit(key, fullOptionOf(key).print(map))
}

export const isSameParts = (a: ModelParts, b: ModelParts): boolean => parts.every((part) => a[part] === b[part])
