import { stripTypeScriptTypes } from 'node:module'

/** A path of a module as it stands in code: in quotes, without spaces. */
const modulePath = /(['"`])((?:[\w@.#-]+\/|\.{1,2}\/)*[\w.-]+)\.ts\1/g

/**
 * A module without its types, and with the names that others have then: Node takes types away nowhere below `node_modules`.
 * Lines stay where they are.
 */
export const inJavaScript = (source: string): string =>
  stripTypeScriptTypes(source).replaceAll(modulePath, (_, quote: string, path: string) => `${quote}${path}.js${quote}`)

/** The same for a module that has no types any more. */
export const withJavaScriptNames = (code: string): string =>
  code.replaceAll(modulePath, (_, quote: string, path: string) => `${quote}${path}.js${quote}`)
