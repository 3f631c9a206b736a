import type { Plugin } from 'vite'

const name = 'virtual:contract'
const resolved = `\0${name}`

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

/** Prints the part of the contract that the browser needs at run time: addresses and constants, no schemas. */
export const printContract = (contract: Readonly<Record<string, unknown>>): string => {
  const named = Object.entries(contract)
  const calls = Object.fromEntries(
    named.flatMap(([key, value]) => (isEntry(value) ? [[key, { method: value.method, path: value.path }]] : [])),
  )
  const constants = named.filter(([key, value]) => !isEntry(value) && key !== 'errors' && isConstant(value))
  return [
    `export const calls = ${JSON.stringify(calls)}`,
    ...constants.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)}`),
  ].join('\n')
}

/**
 * Offers `virtual:contract`, so that the schema library stays out of the browser's first load: types still come from the
 * contract itself (see src/lib/contract.ts).
 */
export const contractModule = (): Plugin => ({
  name: 'tollgate-contract',
  resolveId: (source) => (source === name ? resolved : undefined),
  load: async (id) => (id === resolved ? printContract(await import('@tollgate/contract')) : undefined),
})
