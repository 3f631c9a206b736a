import { openShippedLists } from '../../server/src/billing/book/prepared-lists.ts'

export interface PreparedPrices {
  /** The module that stands in the bundle in place of `billing/book/prepared-lists.ts`. */
  readonly module: string
  /** The file beside it. */
  readonly file: { readonly name: string; readonly text: string }
}

/**
 * The price lists of this version, composed and checked when the bundle is built: a start then needs neither the catalogue nor its
 * schema nor our tables, and reads the lists themselves only for a database that does not hold them.
 */
export const preparePrices = async (): Promise<PreparedPrices> => {
  const { digest, name, lists } = await openShippedLists()
  const file = { name: 'shipped-prices.json', text: JSON.stringify(lists()) }
  const module = [
    "import { readFileSync } from 'node:fs'",
    `const file = new URL('./${file.name}', import.meta.url)`,
    'let read',
    'export const openShippedLists = async () => ({',
    `  digest: ${JSON.stringify(digest)},`,
    `  name: ${JSON.stringify(name)},`,
    "  lists: () => (read ??= JSON.parse(readFileSync(file, 'utf8'))),",
    '})',
    '',
  ].join('\n')
  return { module, file }
}
