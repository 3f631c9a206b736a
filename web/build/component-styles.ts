/// <reference types="node" />
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const styles = join(import.meta.dirname, '../src/styles')
const shell = join(styles, 'mantine.ts')
/** The names of a component's classes, which each component of the library imports beside those that it stands on. */
const classNames = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/

const importLines = (paths: readonly string[]): string =>
  paths.map((path) => `import ${JSON.stringify(path)};`).join('')

/** The library's sheet of a component, followed by the console's own look of it. */
export const sheetsOf = (component: string): readonly string[] => [
  `@mantine/core/styles/${component}.css`,
  ...[join(styles, `parts/${component}.css`)].filter(existsSync),
]

/**
 * Brings the styles of each component of the library with the scripts that draw it. In development, where the packages are
 * bundled beforehand, all of them come with the shell.
 */
export const componentStyles = (): Plugin => {
  let isBuild = true
  return {
    name: 'tollgate-component-styles',
    enforce: 'pre',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transform: (code, id) => {
      const component = isBuild ? classNames.exec(id)?.[1] : undefined
      if (component !== undefined)
        return { code: importLines(sheetsOf(component)) + code, map: null, moduleSideEffects: true }
      if (isBuild || id !== shell) return undefined
      return {
        code: `import '@mantine/core/styles.css';import.meta.glob('./parts/*.css', { eager: true });${code}`,
        map: null,
      }
    },
  }
}
