import { join } from 'node:path'
import { z } from './zod.ts'

const own = import.meta.dirname

/** Members of zod that are types: nothing is left of them in a program. */
const types = new Set([
  'infer',
  'input',
  'output',
  'ZodNumber',
  'ZodObject',
  'ZodRawShape',
  'ZodSafeParseResult',
  'ZodType',
])

const isOffered = (place: object, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return true
  const member: unknown = Reflect.get(place, name)
  return typeof member === 'object' && member !== null ? isOffered(member, rest) : member !== undefined
}

/** Names that a module takes of zod and that are not offered in its place. */
export const missingOfZod = (code: string): readonly string[] =>
  /import \{ z \} from 'zod'/.test(code)
    ? [...code.matchAll(/(?<![\w.$])z\s*\.\s*(\w+)(?:\s*\.\s*(\w+))?/g)]
        .map(([, ...names]) => names.filter((name) => name !== undefined))
        .filter(
          ([name = '', second]) => !types.has(name) && !isOffered(z, second === undefined ? [name] : [name, second]),
        )
        .map((names) => names.join('.'))
    : []

/** Gives the modules of the server schemas that are made when they are used, and refuses what these do not offer. */
export const schemasWhenUsed = () => ({
  name: 'schemas-when-used',
  resolveId: (name: string, importer: string | undefined): string | undefined =>
    name === 'zod' && importer?.startsWith(own) === false ? join(own, 'zod.ts') : undefined,
  transform: {
    order: 'pre' as const,
    handler: (code: string, module: string): undefined => {
      if (module.includes('node_modules') || module.startsWith(own)) return
      const missing = missingOfZod(code)
      if (missing.length > 0) throw new Error(`${module} takes ${missing.join(', ')} of zod: add it to schemas/zod.ts`)
    },
  },
})
