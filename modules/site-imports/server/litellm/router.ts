import { z } from 'zod'
import { type Aliases, aliasesIn } from './aliases.ts'

/** Models to ask after one has failed, by the name of that one; `*` for every other. */
export type Fallbacks = ReadonlyMap<string, readonly string[]>

/** Settings of the router about names and failures. */
export interface Router {
  readonly aliases: Aliases
  readonly fallbacks: Fallbacks
  /** After prompts that are too long, and refused content; undefined where `fallbacks` count there as well. */
  readonly contextFallbacks: Fallbacks | undefined
  readonly contentFallbacks: Fallbacks | undefined
  /** How often a fallback may fall back itself. */
  readonly mostFallbacks: number
}

/** LiteLLM's own. */
const mostFallbacksByDefault = 5

const everyOther = '*'

const names = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'default_fallbacks'] as const

/** Settings that are read here, of `router_settings` and of `litellm_settings`. */
export const routerSettings: ReadonlySet<string> = new Set([...names, 'max_fallbacks', 'model_group_alias'])

const listed = z.array(z.unknown()).catch([])
const aliasShape = z.union([z.string(), z.object({ model: z.string() }).transform(({ model }) => model)])

type Leave = (what: string) => void

const modelsOf = (value: unknown, shown: string, leave: Leave): readonly string[] =>
  listed.parse(value).flatMap((entry) => {
    if (typeof entry === 'string') return [entry]
    leave(`${shown}: ${JSON.stringify(entry)}`)
    return []
  })

/** LiteLLM looks at the first name of each entry, and at the first entry of a name. */
const fallbacksOf = (value: unknown, setting: string, leave: Leave): Map<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>()
  for (const entry of listed.parse(value)) {
    const [first] = Object.entries(z.record(z.string(), z.unknown()).safeParse(entry).data ?? {})
    if (first === undefined) leave(`${setting}: ${JSON.stringify(entry)}`)
    else if (!found.has(first[0])) found.set(first[0], modelsOf(first[1], `${setting} ${first[0]}`, leave))
  }
  return found
}

/** Settings of the router count before those of the whole program. `leave` names what has another form than ours can say. */
export const readRouter = (
  [router, program]: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>],
  leave: Leave,
): Router => {
  const isSet = (value: unknown): boolean => listed.parse(value).length > 0
  const settingOf = (name: (typeof names)[number]): unknown => (isSet(router[name]) ? router[name] : program[name])
  const special = (name: 'context_window_fallbacks' | 'content_policy_fallbacks'): Fallbacks | undefined =>
    isSet(settingOf(name)) ? fallbacksOf(settingOf(name), name, leave) : undefined
  const fallbacks = fallbacksOf(settingOf('fallbacks'), 'fallbacks', leave)
  const byDefault = modelsOf(settingOf('default_fallbacks'), 'default_fallbacks', leave)
  if (byDefault.length > 0 && !fallbacks.has(everyOther)) fallbacks.set(everyOther, byDefault)
  const most = router.max_fallbacks
  const aliases = z.record(z.string(), z.unknown()).safeParse(router.model_group_alias).data ?? {}
  const read = Object.entries(aliases).map(([name, value]): [string, unknown] => {
    const model = aliasShape.safeParse(value).data
    if (model === undefined) leave(`model_group_alias ${name}`)
    return [name, model]
  })
  return {
    aliases: aliasesIn(Object.fromEntries(read)),
    fallbacks,
    contextFallbacks: special('context_window_fallbacks'),
    contentFallbacks: special('content_policy_fallbacks'),
    mostFallbacks: typeof most === 'number' ? most : mostFallbacksByDefault,
  }
}

/** The models after a name: its own, those of the name without its provider, or those of every other name. */
export const fallbacksFor = (fallbacks: Fallbacks | undefined, name: string): readonly string[] => {
  const found =
    fallbacks?.get(name) ?? fallbacks?.get(name.slice(name.indexOf('/') + 1)) ?? fallbacks?.get(everyOther) ?? []
  return found.filter((model) => model !== name)
}
