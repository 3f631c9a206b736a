import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Names of the tables in an interface of tables: `users: UsersTable`. */
const tablesIn = (source: string): string[] =>
  [...source.matchAll(/^export interface \w+Tables[^{]*\{\n([\s\S]*?)^\}/gm)].flatMap(([, body = '']) =>
    [...body.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name),
  )

/** Tables whose owner the page of data does not name. */
export const ownerlessTables = (page: string): readonly string[] =>
  globSync(['server/src/db/schema/*.ts', 'modules/*/server/tables.ts'], { cwd: root })
    .flatMap((path) => tablesIn(readFileSync(join(root, path), 'utf8')))
    .filter((table) => !page.includes(`\`${table}\``))
    .map((table) => `docs/architecture/data.md does not say who owns the table ${table}`)
