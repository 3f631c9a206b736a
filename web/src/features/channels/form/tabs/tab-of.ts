import { ownMember } from '@tollgate/contract/own-member'
import type { ChannelValues } from '../fields.ts'
import { readObject } from '../json-text.ts'

/** The tabs of the channel form, in order. */
export const formTabs = ['connect', 'models', 'routing', 'cost', 'advanced'] as const
export type FormTab = (typeof formTabs)[number]

export type ValueName = keyof ChannelValues

const tabOfValue: Readonly<Record<Exclude<ValueName, 'setting'>, FormTab>> = {
  type: 'connect',
  name: 'connect',
  baseUrl: 'connect',
  key: 'connect',
  batch: 'connect',
  together: 'connect',
  other: 'connect',
  organization: 'connect',
  models: 'models',
  mapping: 'models',
  testModel: 'models',
  groups: 'routing',
  priority: 'routing',
  weight: 'routing',
  tag: 'routing',
  maxInput: 'routing',
  autoBan: 'routing',
  statusMapping: 'routing',
  costFactor: 'cost',
  costPrices: 'cost',
  override: 'advanced',
  headers: 'advanced',
  rawGroups: 'advanced',
  rawKeys: 'advanced',
  rawPaths: 'advanced',
  rawPrice: 'advanced',
  rawShared: 'advanced',
}

/** Members of the settings that have an input outside of the last tab. */
const tabOfMember: ReadonlyMap<string, FormTab> = new Map([
  ['proxy', 'connect'],
  ['key_rotation', 'routing'],
  ['key_affinity', 'routing'],
  ['slots', 'routing'],
  ['first_content_seconds', 'routing'],
  ['bills_aborted', 'cost'],
  ['cache_marks', 'cost'],
])

/** The tab with the input of a value; `member` is that of the settings, where it is one of theirs. */
export const tabOf = (name: ValueName, member = ''): FormTab =>
  name === 'setting' ? (tabOfMember.get(member) ?? 'advanced') : tabOfValue[name]

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Members of two texts of settings that differ; an empty name stands for a text that is no object. */
export const changedSettings = (before: string, after: string): string[] => {
  const [old, current] = [readObject(before), readObject(after)]
  if (!old || !current) return before === after ? [] : ['']
  return [...new Set([...Object.keys(old), ...Object.keys(current)])].filter(
    (name) => !isSame(ownMember(old, name), ownMember(current, name)),
  )
}

/** Names of the values that differ. */
export const changedValues = (before: ChannelValues, after: ChannelValues): ValueName[] =>
  (Object.keys(before) as ValueName[]).filter((name) => !isSame(before[name], after[name]))

/** Tabs with a value that differs from `before`. */
export const changedTabs = (before: ChannelValues, after: ChannelValues): ReadonlySet<FormTab> =>
  new Set(
    changedValues(before, after).flatMap((name) =>
      name === 'setting'
        ? changedSettings(before.setting, after.setting).map((member) => tabOf(name, member))
        : [tabOf(name)],
    ),
  )

/** Tabs with a value that was refused; `member` is the refused one of the settings. */
export const invalidTabs = (refused: readonly string[], member: string | undefined): ReadonlySet<FormTab> =>
  new Set(
    refused.flatMap((name) =>
      name === 'setting' || Object.hasOwn(tabOfValue, name) ? [tabOf(name as ValueName, member)] : [],
    ),
  )
