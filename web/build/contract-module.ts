import type { Plugin } from 'vite'

const name = 'virtual:contract'
/**
 * Addresses are exports of their own, so that the build leaves out those that no screen uses. Those that visitors may call
 * stand apart, so that the pages before the console load no others, and so do those of root, which few screens use.
 */
const callsName = `${name}/calls`
const visitorCalls = `${callsName}/visitor`
const consoleCalls = `${callsName}/console`
const rootCalls = `${callsName}/root`

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

/** Prints the constants that the browser needs at run time, and where its calls are; no schemas. */
export const printContract = (contract: Readonly<Record<string, unknown>>): string => {
  const constants = Object.entries(contract).filter(
    ([key, value]) => !isEntry(value) && key !== 'errors' && isConstant(value),
  )
  return [
    `export * as calls from '${callsName}'`,
    ...constants.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)}`),
  ].join('\n')
}

type Callers = 'visitor' | 'root' | 'console'

const callersOf = ({ access }: Entry): Callers => (access === 'visitor' || access === 'root' ? access : 'console')

/** Prints method and path of the endpoints that visitors may call, that only root may, or of all others. */
export const printCalls = (contract: Readonly<Record<string, unknown>>, callers: Callers): string =>
  Object.entries(contract)
    .flatMap(([key, value]) =>
      isEntry(value) && callersOf(value) === callers
        ? [`export const ${key} = ${JSON.stringify({ method: value.method, path: value.path })}`]
        : [],
    )
    .join('\n')

const printers: Readonly<Record<string, (contract: Readonly<Record<string, unknown>>) => string>> = {
  [name]: printContract,
  [callsName]: () => [visitorCalls, consoleCalls, rootCalls].map((part) => `export * from '${part}'`).join('\n'),
  [visitorCalls]: (contract) => printCalls(contract, 'visitor'),
  [consoleCalls]: (contract) => printCalls(contract, 'console'),
  [rootCalls]: (contract) => printCalls(contract, 'root'),
}

/**
 * Offers `virtual:contract`, so that the schema library stays out of the browser's first load: types still come from the
 * contract itself (see src/lib/contract.ts).
 */
export const contractModule = (): Plugin => ({
  name: 'tollgate-contract',
  resolveId: (source) => (Object.hasOwn(printers, source) ? `\0${source}` : undefined),
  load: async (id) => printers[id.replace('\0', '')]?.(await import('@tollgate/contract')),
})
