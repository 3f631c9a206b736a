import { createRequire } from 'node:module'

/** A function that makes a value when it is called first, and gives the same one from then on. */
export const onFirstUse = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const load = createRequire(import.meta.url)

/**
 * A package that is loaded when it is used first, at once: those that most sites never use cost memory and time at each start.
 * Name its type: `packageOnUse<typeof import('ws')>('ws')`.
 */
export const packageOnUse = <Package>(name: string): (() => Package) => onFirstUse(() => load(name) as Package)
