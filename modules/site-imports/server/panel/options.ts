import { isOptionKey } from '@tollgate/contract'
import { parseJson, parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import type { MovedOption, OpenSiteParts } from '../site.ts'
import { text } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { groupLimitsKey } from './group-limits.ts'

const optionRow = z.object({ key: text, value: text })

/** Options that were saved in the source; its program's defaults are not in its database. */
export const readPanelOptions = async ({ source }: OpenSiteParts): Promise<ReadonlyMap<string, string>> => {
  const stored = new Map<string, string>()
  for await (const rows of pagesOf(source, 'options', 'key')) {
    for (const cells of rows) {
      const { key, value } = optionRow.parse(cells)
      stored.set(key, value)
    }
  }
  return stored
}

/** Groups that a token with the group `auto` tries, in this order. */
export const autoGroupsOf = (stored: ReadonlyMap<string, string>): readonly string[] =>
  z.array(z.string()).safeParse(parseJson(stored.get('AutoGroups') ?? '')).data ?? []

/** Read elsewhere, or without meaning outside the program. */
const silent: ReadonlySet<string> = new Set(['AutoGroups', 'GroupGroupRatio', groupLimitsKey])

const withoutAuto = (groups: string): string => {
  const { auto: _, ...others } = parseObject(groups)
  return JSON.stringify(others)
}

/** Options other than prices that mean the same here; the others are noted. */
export const plainOptions = (
  stored: ReadonlyMap<string, string>,
  { notes }: Pick<OpenSiteParts, 'notes'>,
  isPrice: (key: string) => boolean,
): readonly MovedOption[] => {
  const moved: MovedOption[] = []
  for (const [key, value] of stored) {
    if (isPrice(key) || silent.has(key)) continue
    if (key === 'UserUsableGroups') moved.push({ key, text: withoutAuto(value) })
    else if (isOptionKey(key)) moved.push({ key, text: value })
    else notes.note('option_unknown', key)
  }
  for (const [group, ratios] of Object.entries(parseObject(stored.get('GroupGroupRatio') ?? ''))) {
    notes.note('group_pairs', `${group}: ${JSON.stringify(ratios)}`)
  }
  return moved
}
