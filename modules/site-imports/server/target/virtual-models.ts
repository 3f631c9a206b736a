import { mostListed, mostRules, mostSteps, type VirtualModelChange, virtualModelChange } from '@tollgate/contract'
import type { ImportRun } from '../run.ts'
import type { MovedVirtualModel } from '../site.ts'

type Rule = MovedVirtualModel['rules'][number]

const kind = 'virtual_model'

/** Moves names that stand for several models. */
export const createVirtualModelWriter = (run: ImportRun) => {
  const { map, target, notes } = run

  const stepsOf = (models: readonly string[], name: string) => {
    for (const model of models.slice(mostSteps)) notes.note('route_left', `${name}: ${model}`)
    return models.slice(0, mostSteps).map((model) => ({ targets: [{ model }] }))
  }

  /** Rules of the API, which take so many keys or teams each. */
  const rulesOf = async ({ name, of, sourceIds, models }: Rule, shown: string) => {
    const ids = [...(await map.known(of, sourceIds)).values()].map(Math.abs)
    const parts = Array.from({ length: Math.ceil(ids.length / mostListed) }, (_, index) =>
      ids.slice(index * mostListed, (index + 1) * mostListed),
    )
    return parts.map((part, index) => ({
      name: index === 0 ? name : `${name} (${index + 1})`,
      when: of === 'token' ? { keys: part } : { teams: part },
      steps: stepsOf(models, shown),
    }))
  }

  /** Undefined where a field cannot be used here. */
  const changeOf = async (model: MovedVirtualModel): Promise<VirtualModelChange | undefined> => {
    const rules = (await Promise.all(model.rules.map((rule) => rulesOf(rule, model.name)))).flat()
    for (const { name } of rules.slice(mostRules)) notes.note('route_left', `${model.name}: ${name}`)
    const change = virtualModelChange.safeParse({
      name: model.name,
      description: model.description,
      falls_back_on: model.fallsBackOn,
      rules: rules.slice(0, mostRules),
      steps: stepsOf(model.models, model.name),
    })
    return change.success ? change.data : undefined
  }

  const insert = (change: VirtualModelChange): Promise<boolean> =>
    target.database.transaction(async (trx) => {
      const id = await target.addVirtualModel(trx, change)
      if (typeof id === 'number') await map.add(trx, kind, new Map([[change.name, id]]))
      else notes.note(id === 'taken' ? 'route_taken' : 'routes_full', change.name)
      return typeof id === 'number'
    })

  return {
    async write(page: readonly MovedVirtualModel[]): Promise<void> {
      const known = await map.known(
        kind,
        page.map(({ name }) => name),
      )
      let carried = 0
      for (const model of page.filter(({ name }) => !known.has(name))) {
        const change = await changeOf(model)
        if (change === undefined) notes.note('route_left', model.name)
        else if (run.dryRun || (await insert(change))) carried += 1
      }
      if (page.length > 0) run.count(kind, { found: page.length, known: known.size, carried })
    },
  }
}
