import type { FailureClass } from '@tollgate/contract'
import { type Fallbacks, fallbacksFor, type Router } from './router.ts'

/** Models in the order in which they are asked, and the failures after which the next one is. */
export interface Way {
  readonly models: readonly string[]
  readonly on: readonly FailureClass[]
}

/** Failures that LiteLLM does not tell apart. A wrong request goes back here, as no other model would take it either. */
const anyFailure: readonly FailureClass[] = ['overload', 'timeout', 'server', 'credentials', 'missing']

interface Choice {
  readonly list: readonly string[]
  readonly on: readonly FailureClass[]
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean => one.join('\n') === other.join('\n')

/** Ways by the name that is asked for. `leave` names what a virtual model, which has one list for all failures, cannot say. */
export const createWays = (router: Router, leave: (what: string) => void): ((name: string) => Way) => {
  const modelOf = (name: string): string => router.aliases.get(name) ?? name

  /** The models that follow a name itself, whatever follows them. */
  const choiceOf = (name: string): Choice => {
    const usual = fallbacksFor(router.fallbacks, name)
    const special = (fallbacks: Fallbacks | undefined, absent: readonly string[]): readonly string[] =>
      fallbacks === undefined ? absent : fallbacksFor(fallbacks, name)
    const kinds: readonly (readonly [string, readonly string[], readonly FailureClass[]])[] = [
      ['fallbacks', usual, anyFailure],
      ['context_window_fallbacks', special(router.contextFallbacks, usual), ['context']],
      ['content_policy_fallbacks', special(router.contentFallbacks, []), ['content']],
    ]
    const named = kinds.filter(([, models]) => models.length > 0)
    const list = named[0]?.[1] ?? []
    for (const [setting, models] of named) if (!isSame(models, list)) leave(`${setting} ${name}: ${models.join(', ')}`)
    return { list, on: named.filter(([, models]) => isSame(models, list)).flatMap(([, , on]) => on) }
  }

  /** The models of a list, each with those that follow it. */
  const follow = ({ list, on }: Choice, seen: Set<string>, depth: number): readonly string[] =>
    list.flatMap((name): readonly string[] => {
      const model = modelOf(name)
      if (seen.has(model)) return []
      seen.add(model)
      const next = choiceOf(name)
      if (next.list.length === 0 || depth >= router.mostFallbacks) return [model]
      if (isSame(next.on, on)) return [model, ...follow(next, seen, depth + 1)]
      leave(`${name}: ${next.list.join(', ')}`)
      return [model]
    })

  return (name) => {
    const choice = choiceOf(name)
    const first = modelOf(name)
    return { models: [first, ...follow(choice, new Set([first]), 1)], on: choice.on }
  }
}
