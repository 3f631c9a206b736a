import { readCatalogueFacts } from '../../server/src/features/models/facts/catalogue-facts.ts'
import type { FactRows } from '../../server/src/features/models/facts/prepared-facts.ts'

export interface PreparedFacts {
  /** The module that stands in the bundle in place of `features/models/facts/prepared-facts.ts`. */
  readonly module: string
  /** The file beside it. */
  readonly file: { readonly name: string; readonly text: string }
}

/** The catalogue's descriptions and contexts of models, without its package: a start reads none of them. */
export const prepareFacts = async (): Promise<PreparedFacts> => {
  // A model of which it says nothing is as one that it does not hold.
  const rows: FactRows = [...(await readCatalogueFacts())].filter(
    ([, { description, context }]) => description !== '' || context > 0,
  )
  const file = { name: 'catalogue-facts.json', text: JSON.stringify(rows) }
  const module = [
    "import { readFileSync } from 'node:fs'",
    `const file = new URL('./${file.name}', import.meta.url)`,
    'let read',
    "export const openCatalogueFacts = async () => () => (read ??= new Map(JSON.parse(readFileSync(file, 'utf8'))))",
    '',
  ].join('\n')
  return { module, file }
}
