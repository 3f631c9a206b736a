import { isDeepStrictEqual } from 'node:util'
import { type ChannelType, compareChannelKeys } from '@tollgate/contract'
import { type ChannelForm, formFields, formOf, typeNumberOf } from './channel-fields.ts'
import { type Difference, differences } from './differences.ts'
import { type ChannelStep, channelTitle, type PlanParts, secretText } from './plan.ts'
import type { FileProblem } from './site-file-error.ts'
import { labelsOf } from './site-state.ts'

const most = 100
const secretChange: Difference = { field: 'key', before: secretText, after: secretText }

/** Maps that hold nothing are written as empty texts. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0 ? '' : value

const changedFields = (before: ChannelForm, after: ChannelForm): (keyof ChannelForm)[] =>
  formFields.filter((name) => !isDeepStrictEqual(plain(before[name]), plain(after[name])))

/** With its type by the name that the site has for it. */
const normalForm = (form: ChannelForm, types: readonly ChannelType[]): ChannelForm => ({
  ...form,
  type: types.find(({ type }) => type === typeNumberOf(form.type, types))?.name ?? form.type,
})

/** Changes of channels, which are found by their names. With `prune`, channels that the file does not name are deleted. */
export const planChannels = async (parts: PlanParts): Promise<{ steps: ChannelStep[]; unnamed: string[] }> => {
  const { file, site, api, secretOf, prune } = parts
  const entries = file.content.channels
  const there = labelsOf(site.channels)
  if (entries === undefined) return { steps: [], unnamed: [...there.keys()].map(channelTitle) }

  const problems: FileProblem[] = []
  const keys = new Map<string, string>()
  const labels = [...labelsOf(entries)]
  for (const [index, [label, { type, key }]] of labels.entries()) {
    if (typeNumberOf(type, site.types) === undefined)
      problems.push({ path: ['channels', index, 'type'], message: `There is no channel type ${type}` })
    try {
      const found = key === undefined ? undefined : secretOf(key)
      if (found !== undefined) keys.set(label, found)
      if (key === undefined && !there.has(label))
        problems.push({ path: ['channels', index], message: 'A new channel needs a key' })
    } catch (error) {
      problems.push({
        path: ['channels', index, 'key'],
        message: error instanceof Error ? error.message : String(error),
      })
    }
  }
  file.refuse(problems)

  const known = [...keys].flatMap(([label, key]) => {
    const channel = there.get(label)
    return channel === undefined ? [] : [{ id: channel.id, key }]
  })
  const rekeyed = new Set<number>()
  for (let from = 0; from < known.length; from += most) {
    const body = { channels: known.slice(from, from + most) }
    for (const id of await api.call(compareChannelKeys, { body })) rekeyed.add(id)
  }

  const steps = labels.flatMap(([label, { key: _key, ...entry }]): ChannelStep[] => {
    const form = normalForm(entry, site.types)
    const channel = there.get(label)
    const title = channelTitle(label)
    if (channel === undefined) {
      const all = formFields.map((field) => ({ field, before: undefined, after: form[field] }))
      const changes = [...all.filter(({ after }) => plain(after) !== ''), { ...secretChange, before: undefined }]
      const key = keys.get(label)
      return [
        { kind: 'channel', verb: 'create', title, id: undefined, form, changed: formFields, key, differences: changes },
      ]
    }
    const before = formOf(channel, site.types)
    const changed = changedFields(before, form)
    const key = rekeyed.has(channel.id) ? keys.get(label) : undefined
    if (changed.length === 0 && key === undefined) return []
    const changes = [
      ...changed.flatMap((name) => differences(name, before[name], form[name])),
      ...(key === undefined ? [] : [secretChange]),
    ]
    return [{ kind: 'channel', verb: 'update', title, id: channel.id, form, changed, key, differences: changes }]
  })
  const named = new Set(labels.map(([label]) => label))
  const others = [...there].filter(([label]) => !named.has(label))
  const deleted = others.map(
    ([label, { id }]): ChannelStep => ({
      kind: 'channel',
      verb: 'delete',
      title: channelTitle(label),
      id,
      key: undefined,
      form: undefined,
      changed: [],
      differences: [],
    }),
  )
  return { steps: prune ? [...steps, ...deleted] : steps, unnamed: others.map(([label]) => channelTitle(label)) }
}
