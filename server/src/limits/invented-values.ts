import type { LimitSubject } from '@tollgate/contract'
import type { CompiledLimit } from './compiled-limit.ts'
import type { Counter } from './counter.ts'

/** Subjects whose values clients make up. */
const invented: ReadonlySet<LimitSubject> = new Set(['end_user', 'tag'])

/** Values of one account, or of a tag of all, that a limit counts apart in a process; the rest is counted together. */
const mostApart = 5000
const together = '*'

interface Invented {
  /** The values of a call, or the shared one where its group has too many. */
  bounded(compiled: CompiledLimit, values: readonly string[]): readonly string[]
  forget(counter: Counter): void
  /** Begins anew with these counters. */
  count(counters: Iterable<Counter>): void
}

/** Group of a value that clients choose: for an end user the account, for a tag its name. Made-up values fill only their own group. */
const placeOf = ({ limit }: CompiledLimit, values: readonly string[]): string | undefined => {
  let place: string | undefined
  for (const [index, { kind }] of limit.subjects.entries()) {
    if (!invented.has(kind)) continue
    const value = values[index] ?? ''
    place = `${place ?? limit.id} ${value.slice(0, value.indexOf(kind === 'tag' ? '=' : '/'))}`
  }
  return place
}

const isTogether = (compiled: CompiledLimit, values: readonly string[]): boolean =>
  compiled.limit.subjects.some(({ kind }, index) => invented.has(kind) && values[index]?.endsWith(`/${together}`))

const joined = (compiled: CompiledLimit, values: readonly string[]): readonly string[] =>
  compiled.limit.subjects.map(({ kind }, index) => {
    const value = values[index] ?? ''
    return invented.has(kind) ? `${value.slice(0, value.indexOf(kind === 'tag' ? '=' : '/'))}/${together}` : value
  })

/** Bounds the counters that a client which makes up end users or tags can have this process keep. */
export const openInventedValues = (): Invented => {
  const counts = new Map<string, number>()
  const add = (place: string, by: number): void => {
    const count = (counts.get(place) ?? 0) + by
    if (count > 0) counts.set(place, count)
    else counts.delete(place)
  }
  const noted = (compiled: CompiledLimit, values: readonly string[], by: number): void => {
    const place = placeOf(compiled, values)
    if (place !== undefined && !isTogether(compiled, values)) add(place, by)
  }

  return {
    bounded(compiled, values) {
      const place = placeOf(compiled, values)
      if (place === undefined || isTogether(compiled, values)) return values
      if ((counts.get(place) ?? 0) >= mostApart) return joined(compiled, values)
      add(place, 1)
      return values
    },
    forget: ({ compiled, values }) => noted(compiled, values, -1),
    count(counters) {
      counts.clear()
      for (const { compiled, values } of counters) noted(compiled, values, 1)
    },
  }
}
