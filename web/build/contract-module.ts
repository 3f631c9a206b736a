import type { Plugin } from 'vite'

const name = 'virtual:contract'
const callsName = `${name}/calls`
/** Each address and each constant is a module of its own, so that it goes where it is used, into one screen's file or all's. */
const oneName = `${name}/one/`

interface Entry {
  method: string
  path: string
  access: string
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const isPrimitive = (value: unknown): boolean =>
  value === undefined || ['string', 'number', 'boolean'].includes(typeof value)

/** Constants such as `role` or `pageSizes`: flat, without schemas or functions. */
const isConstant = (value: unknown): boolean =>
  isPrimitive(value) ||
  (typeof value === 'object' &&
    value !== null &&
    [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) &&
    Object.values(value).every(isPrimitive))

type Contract = Readonly<Record<string, unknown>>

/** The names of what the browser needs at run time: constants, and the endpoints' addresses. No schemas. */
export const namesOf = (contract: Contract): { constants: string[]; calls: string[] } => {
  const entries = Object.entries(contract)
  return {
    constants: entries
      .filter(([key, value]) => !isEntry(value) && key !== 'errors' && isConstant(value))
      .map(([key]) => key),
    calls: entries.filter(([, value]) => isEntry(value)).map(([key]) => key),
  }
}

/** Prints a constant, or the method and the path of an endpoint. */
export const printOne = (contract: Contract, key: string): string => {
  const value = contract[key]
  return `export const ${key} = ${JSON.stringify(isEntry(value) ? { method: value.method, path: value.path } : value)}`
}

const printNames = (keys: readonly string[]): string[] => keys.map((key) => `export { ${key} } from '${oneName}${key}'`)

/** Prints one of the modules offered here; undefined for all others. */
export const printModule = (id: string, contract: Contract): string | undefined => {
  if (id.startsWith(oneName)) return printOne(contract, id.slice(oneName.length))
  const { constants, calls } = namesOf(contract)
  if (id === callsName) return printNames(calls).join('\n')
  return id === name ? [`export * as calls from '${callsName}'`, ...printNames(constants)].join('\n') : undefined
}

/**
 * Offers `virtual:contract`, so that the schema library stays out of the browser's first load: types still come from the
 * contract itself (see src/lib/api/contract.ts).
 */
export const contractModule = (): Plugin => ({
  name: 'tollgate-contract',
  resolveId: (source) => (source === name || source.startsWith(`${name}/`) ? `\0${source}` : undefined),
  load: async (id) =>
    id.startsWith(`\0${name}`) ? printModule(id.slice(1), await import('@tollgate/contract')) : undefined,
})
