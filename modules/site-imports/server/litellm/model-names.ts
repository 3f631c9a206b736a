import { z } from 'zod'
import type { OpenSiteParts } from '../site.ts'
import { text, texts } from '../source/cells.ts'
import type { SourceModel } from './channels.ts'
import { rowsOf } from './rows.ts'

const groupRow = z.object({ access_group_id: text, access_group_name: text, access_model_names: texts })

const everyModel: ReadonlySet<string> = new Set(['all-proxy-models', 'all-team-models', '*'])
const noModels = 'no-default-models'

/** Reads lists of models as LiteLLM means them. */
export interface ModelNames {
  /** The names of a list with its groups and patterns resolved; undefined for every model. `groups` are ids of access groups. */
  expand(
    list: readonly string[],
    from: { readonly name: string; readonly groups?: readonly string[] },
  ): readonly string[] | undefined
}

/** Models of a pattern such as `openai/*`. */
const fits = (pattern: string, name: string): boolean => {
  const [head = '', ...rest] = pattern.split('*')
  return name.startsWith(head) && rest.every((part) => name.includes(part)) && name.endsWith(rest.at(-1) ?? '')
}

/** `aliases` are further names for models. */
export const readModelNames = async (
  parts: OpenSiteParts,
  models: readonly SourceModel[],
  aliases: Iterable<string>,
): Promise<ModelNames> => {
  const { notes } = parts
  const known = new Set([...models.map(({ name }) => name), ...aliases])
  const groups = new Map<string, Set<string>>()
  for (const { name, accessGroups } of models) {
    for (const group of accessGroups) groups.set(group, (groups.get(group) ?? new Set()).add(name))
  }
  const rows = await rowsOf(parts, {
    table: 'LiteLLM_AccessGroupTable',
    column: 'access_group_id',
    shape: groupRow,
  })
  const byId = new Map(rows.map((row) => [row.access_group_id, row.access_model_names]))
  for (const { access_group_name: name, access_model_names: members } of rows) {
    for (const model of members) groups.set(name, (groups.get(name) ?? new Set()).add(model))
  }

  const namesOf = (entry: string, shown: string): readonly string[] => {
    if (entry === noModels) return []
    if (known.has(entry)) {
      if (entry.includes('*')) notes.note('channel_wildcard', `${entry} (${shown})`)
      return [entry]
    }
    const group = groups.get(entry)
    if (group !== undefined) return [...group]
    if (entry.includes('*')) return [...known].filter((name) => fits(entry, name))
    notes.note('model_in_file', `${entry} (${shown})`)
    return [entry]
  }

  return {
    expand(list, { name, groups: ids = [] }) {
      const granted = ids.flatMap((id) => byId.get(id) ?? [])
      if (list.length === 0 && granted.length === 0) return undefined
      if (list.some((entry) => everyModel.has(entry))) return undefined
      return [...new Set([...list.flatMap((entry) => namesOf(entry, name)), ...granted])]
    },
  }
}
