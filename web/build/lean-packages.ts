import type { Plugin } from 'vite'

/**
 * Parts that these components carry as members (`Checkbox.Card`), though the console uses none of them or imports them by
 * their own name: as members they would come with the component on every screen.
 */
const withMembers = 'Checkbox|Radio|Button|ActionIcon'
const members = new RegExp(`^(?:${withMembers})\\.[A-Z]\\w+ = \\w+;$`, 'gm')
const componentFile = new RegExp(`@mantine/core/esm/components/(${withMembers})/\\1\\.mjs$`)

export const withoutMembers = (code: string): string => code.replace(members, '')

/**
 * Modules for what the console does not use, or does itself (`parseSearch` in routes.tsx). Each has a stand-in with the names
 * that others import.
 */
const unused: ReadonlyMap<string, string> = new Map([
  [
    'query-core/build/modern/infiniteQueryBehavior.js',
    'export const infiniteQueryBehavior = () => undefined, hasNextPage = () => false, hasPreviousPage = () => false',
  ],
  [
    'query-core/build/modern/mutationCache.js',
    'export class MutationCache { clear() {} resumePausedMutations = async () => {} }',
  ],
  [
    'router-core/dist/esm/searchParams.js',
    "export const parseSearchWith = () => () => ({}), stringifySearchWith = () => () => ''," +
      'defaultParseSearch = parseSearchWith(), defaultStringifySearch = stringifySearchWith()',
  ],
])

const standIn = (id: string): string | undefined => {
  for (const [end, code] of unused) if (id.endsWith(end)) return code
  return undefined
}

/**
 * Leaves out of the build what the console never runs of its packages. `lean-packages.test.ts` keeps the sources from using
 * it; in development and in tests the packages are whole.
 */
export const leanPackages = (): Plugin => ({
  name: 'tollgate-lean-packages',
  apply: 'build',
  enforce: 'pre',
  // React has had what the shim adds since version 18.
  config: () => ({
    resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  }),
  transform: (code, id) => {
    const lean = standIn(id) ?? (componentFile.test(id) ? withoutMembers(code) : undefined)
    return lean === undefined ? undefined : { code: lean, map: null }
  },
})
