import { isDeepStrictEqual } from 'node:util'
import type { ModelCardChange } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { differences } from './differences.ts'
import type { CardStep, PlanParts, VirtualModelStep } from './plan.ts'
import { problemsAt } from './read-site-file.ts'
import { labelsOf } from './site-state.ts'
import { changeOf, entryOf, plainOf } from './virtual-model-fields.ts'

/** Changes of what the catalogue says about models. With `prune`, models that the file does not name go back to what is known. */
export const planCards = ({ file, site, prune }: PlanParts): { steps: CardStep[]; unnamed: string[] } => {
  const wanted = Object.entries(file.content.models ?? {})
  const there = new Map(site.cards.map((card) => [card.model, card]))
  const steps = wanted.flatMap(([model, change]): CardStep[] => {
    const before: Readonly<Record<string, unknown>> = there.get(model) ?? {}
    const after = Object.entries(change).filter(([name, value]) => !isDeepStrictEqual(ownMember(before, name), value))
    if (after.length === 0) return []
    const changes = after.flatMap(([name, value]) => differences(name, ownMember(before, name), value))
    return [{ kind: 'card', verb: 'update', title: `model ${model}`, model, change, differences: changes }]
  })
  const named = new Set(wanted.map(([model]) => model))
  const others = site.cards.filter(({ model, edited }) => edited && !named.has(model)).map(({ model }) => model)
  const change: ModelCardChange = {}
  const reset = others.map(
    (model): CardStep => ({ kind: 'card', verb: 'delete', title: `model ${model}`, model, change, differences: [] }),
  )
  const removes = prune && file.content.models !== undefined
  return { steps: removes ? [...steps, ...reset] : steps, unnamed: others.map((model) => `model ${model}`) }
}

/** Stands for channels that the file itself makes, until they have ids. */
const firstFutureId = 2_000_000_000

/** Changes of virtual models, which are found by their names. With `prune`, those that the file does not name are deleted. */
export const planVirtualModels = ({
  file,
  site,
  prune,
}: PlanParts): { steps: VirtualModelStep[]; unnamed: string[] } => {
  const entries = file.content.virtual_models
  const there = new Map(site.virtualModels.map((model) => [model.name, model]))
  const title = (name: string): string => `virtual model ${name}`
  if (entries === undefined) return { steps: [], unnamed: [...there.keys()].map(title) }

  const stored = labelsOf(site.channels)
  const future = [...labelsOf(file.content.channels ?? []).keys()].filter((label) => !stored.has(label))
  const ids = new Map([
    ...[...stored].map(([label, { id }]) => [label, id] as const),
    ...future.map((label, index) => [label, firstFutureId + index] as const),
  ])
  const labels = new Map([...ids].map(([label, id]) => [id, label]))
  const twice = entries.findIndex(({ name }, index) => entries.findIndex((other) => other.name === name) !== index)
  if (twice >= 0)
    file.refuse([{ path: ['virtual_models', twice, 'name'], message: 'Two virtual models have this name' }])

  const steps = entries.flatMap((entry, index): VirtualModelStep[] => {
    const read = changeOf(entry, (label) => ids.get(label))
    if (!read.success) {
      file.refuse(problemsAt(['virtual_models', index], read.error))
      return []
    }
    const change = read.data
    const before = there.get(change.name)
    const shared = { kind: 'virtual model', title: title(change.name), id: before?.id, change, entry } as const
    const after = entryOf(change, (id) => labels.get(id))
    if (before === undefined) {
      const changes = Object.entries(after).map(([field, value]) => ({ field, before: undefined, after: value }))
      return [{ ...shared, verb: 'create', differences: changes }]
    }
    if (isDeepStrictEqual(withoutUndefined(plainOf(before)), withoutUndefined(change))) return []
    const old = entryOf(plainOf(before), (id) => labels.get(id))
    const names = [...new Set([...Object.keys(old), ...Object.keys(after)])]
    return [
      {
        ...shared,
        verb: 'update',
        differences: names.flatMap((name) => differences(name, ownMember(old, name), ownMember(after, name))),
      },
    ]
  })
  const named = new Set(entries.map(({ name }) => name))
  const others = [...there.values()].filter(({ name }) => !named.has(name))
  const deleted = others.map(
    ({ id, name }): VirtualModelStep => ({
      kind: 'virtual model',
      verb: 'delete',
      title: title(name),
      id,
      change: undefined,
      entry: undefined,
      differences: [],
    }),
  )
  return { steps: prune ? [...steps, ...deleted] : steps, unnamed: others.map(({ name }) => title(name)) }
}

/** As it would be stored: what is undefined is absent. */
const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown
