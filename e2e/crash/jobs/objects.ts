import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../server/src/db/database.ts'

/** Objects in the folder of files that neither a file nor a deletion that is due names: nothing would ever delete them. */
export const unnamedObjects = async ({ query }: Database, folder: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ readonly name: string }>`select object_name as name from kept_files
    union select object_name as name from kept_file_removals`.execute(query)
  const named = new Set(rows.map(({ name }) => name))
  const objects = readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? readdirSync(join(folder, one.name)) : [],
  )
  return objects.filter((object) => !named.has(object.split('.', 1)[0] ?? ''))
}
