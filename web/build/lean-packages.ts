import type { Plugin } from 'vite'

const componentFile = /@mantine\/core\/esm\/components\/(\w+)\/\1\.mjs$/

/** Takes off a component the others that it carries as members (`Checkbox.Card`); its own classes and functions stay. */
export const withoutMembers = (code: string): string =>
  code.replace(/^(Checkbox|Radio|Button|ActionIcon)\.[A-Z]\w+ = \w+;$/gm, '')

/**
 * Leaves out of the build the members of the components that every screen has: the console imports what it needs of them by
 * its own name, and they would come with their scripts and styles on every screen.
 */
export const leanPackages = (): Plugin => ({
  name: 'tollgate-lean-packages',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (componentFile.test(id) ? { code: withoutMembers(code), map: null } : undefined),
})
