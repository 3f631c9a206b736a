import { type FailureClass, virtualModelChange } from '@tollgate/contract'
import type { MovedVirtualModel, OpenSiteParts } from '../site.ts'
import type { OwnAliases } from './aliases.ts'
import type { SourceModel } from './channels.ts'
import type { Router } from './router.ts'
import type { SourceTeam } from './structure-rows.ts'
import { createWays, type Way } from './ways.ts'

interface Sources {
  readonly models: readonly SourceModel[]
  readonly router: Router
  readonly aliases: OwnAliases
  readonly teams: ReadonlyMap<string, SourceTeam>
}

/** Keys or teams for which a name has a meaning of its own. */
interface Scope {
  readonly of: 'token' | 'team'
  readonly sourceId: string
  /** Displayed name. */
  readonly shown: string
  readonly model: string
}

/** After which failures a name with one model would fall back, once it has more. */
const usualFailures: readonly FailureClass[] = virtualModelChange.shape.falls_back_on.parse(undefined)

/** All further names for models. */
export const namesOfAll = (router: Router, { teams, keys }: OwnAliases): ReadonlySet<string> =>
  new Set([
    ...router.aliases.keys(),
    ...[...teams.values()].flatMap((aliases) => [...aliases.keys()]),
    ...keys.flatMap(({ aliases }) => [...aliases.keys()]),
  ])

/** Names of single keys and teams. A team's alias is looked up first, then the key's alias of what it means. */
const scopesOf = ({ aliases, teams }: Pick<Sources, 'aliases' | 'teams'>): ReadonlyMap<string, readonly Scope[]> => {
  const scopes = new Map<string, Scope[]>()
  const add = (name: string, scope: Scope): void => {
    scopes.set(name, [...(scopes.get(name) ?? []), scope])
  }
  for (const { token, name: key, teamId, aliases: own } of aliases.keys) {
    const ofTeam = aliases.ofTeam(teamId)
    for (const name of new Set([...own.keys(), ...ofTeam.keys()])) {
      const before = ofTeam.get(name) ?? name
      const model = own.get(before)
      if (model !== undefined) add(name, { of: 'token', sourceId: token, shown: key, model })
    }
  }
  for (const [id, own] of aliases.teams) {
    const shown = teams.get(id)?.team_alias || id
    for (const [name, model] of own) add(name, { of: 'team', sourceId: id, shown, model })
  }
  return scopes
}

/**
 * Aliases and fallbacks as virtual models: a name that leads to another model, or to several in turn. Where keys or teams have a
 * name for themselves, rules say what it means for them.
 */
export const litellmVirtualModels = ({ notes }: OpenSiteParts, sources: Sources): readonly MovedVirtualModel[] => {
  const { models, router } = sources
  const served = new Set(models.map(({ name }) => name).filter((name) => !name.includes('*')))
  const left = new Set<string>()
  const leave = (what: string): void => {
    if (!left.has(what)) notes.note('route_left', what)
    left.add(what)
  }
  const missing = new Set<string>()
  const noteMissing = (what: string): void => {
    if (!missing.has(what)) notes.note('model_in_file', what)
    missing.add(what)
  }
  const wayOf = createWays(router, leave)
  const scopes = scopesOf(sources)

  /** The way of a name that begins with a model of the database; undefined for all others. */
  const usable = (name: string, shown: string): Way | undefined => {
    const way = wayOf(name)
    const [first = name, ...others] = way.models
    if (served.has(first)) {
      for (const model of others) if (!served.has(model)) noteMissing(`${model} (${shown})`)
      return way
    }
    leave(`${shown}: ${first}`)
    return undefined
  }

  /** Fallbacks of an alias that falls back after other failures than the name itself cannot be said. */
  const fitting = (way: Way, on: readonly FailureClass[], shown: string): readonly string[] => {
    if (way.models.length === 1 || way.on.join() === on.join()) return way.models
    leave(`${shown}: ${way.models.slice(1).join(', ')}`)
    return way.models.slice(0, 1)
  }

  const rulesOf = (name: string, on: readonly FailureClass[]): MovedVirtualModel['rules'] => {
    const rules = new Map<string, MovedVirtualModel['rules'][number]>()
    for (const { of, sourceId, shown, model } of scopes.get(name) ?? []) {
      const way = usable(model, `${name} (${shown})`)
      if (way === undefined) continue
      const key = [of, model].join(' ')
      const before = rules.get(key)
      rules.set(key, {
        name: `${of === 'token' ? 'API keys' : 'Teams'}: ${model}`,
        of,
        sourceIds: [...(before?.sourceIds ?? []), sourceId],
        models: fitting(way, on, `${name} (${shown})`),
      })
    }
    return [...rules.values()]
  }

  const made: MovedVirtualModel[] = []
  const ofRouter = [...router.fallbacks.keys(), ...(router.contextFallbacks?.keys() ?? []), ...router.aliases.keys()]
  for (const name of new Set([...served, ...ofRouter, ...(router.contentFallbacks?.keys() ?? []), ...scopes.keys()])) {
    if (name.includes('*')) continue
    const isOwn = !served.has(name) && !ofRouter.includes(name) && scopes.has(name)
    const ofScopes = (scopes.get(name) ?? []).map(({ model }) => wayOf(model))
    const way = isOwn ? undefined : usable(name, name)
    const on = [way, ...ofScopes].find((one) => one !== undefined && one.models.length > 1)?.on ?? usualFailures
    const rules = rulesOf(name, on)
    const description = 'LiteLLM'
    const common = { name, description, fallsBackOn: on }
    if (way !== undefined) {
      const isPlain = way.models.length === 1 && way.models[0] === name && rules.length === 0
      if (!isPlain) made.push({ ...common, models: fitting(way, on, name), rules })
      continue
    }
    const [first, ...others] = rules
    if (first === undefined) continue
    notes.note('route_all', name)
    const isOne = others.every(({ models: other }) => other.join('\n') === first.models.join('\n'))
    made.push({ ...common, models: first.models, rules: isOne ? [] : rules })
  }
  return made
}
