import { parseArgs } from 'node:util'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { openCheckedSecrets } from '../../db/key-proof.ts'
import { migrate } from '../../db/migrate.ts'
import { type ColumnCount, rotateSecrets } from '../../db/secret-rotation/rotate.ts'
import { loadEnvironmentFile } from '../../lib/environment-file.ts'
import { secretSources } from './secret-sources.ts'

const usage = `Usage: tollgate rotate-secret [--check]

  --check    counts what is left, and changes nothing; exit code 2 where something is

Encrypts everything in the database with CRYPTO_SECRET that was encrypted with a secret in CRYPTO_SECRET_PREVIOUS. Nodes may go on, if all
of them know both secrets. A run that was broken off is begun again.`

const leftCode = 2

const lineOf = ({ table, column, total, changed, left, unreadable }: ColumnCount): string => {
  const parts = [`${total} stored`, `${changed} encrypted anew`, `${left} left`]
  return `${table}.${column}: ${[...parts, ...(unreadable > 0 ? [`${unreadable} that no secret opens`] : [])].join(', ')}`
}

/** `tollgate rotate-secret`: replaces the secret under which everything is stored. Answers the exit code. */
export const runRotateCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  print: (line: string) => unknown = (line) => process.stdout.write(`${line}\n`),
): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true) {
    print(usage)
    return 0
  }
  loadEnvironmentFile()
  const config = readConfig(environment)
  const database = await openDatabase(config.database)
  try {
    await migrate(database)
    const secrets = await openCheckedSecrets(database, secretSources(config))
    const counts = await rotateSecrets({ database, secrets, write: values.check !== true })
    for (const count of counts) if (count.total > 0) print(lineOf(count))
    const left = counts.reduce((sum, count) => sum + count.left, 0)
    print(
      left === 0
        ? 'Nothing needs a previous secret any more: CRYPTO_SECRET_PREVIOUS can go from all nodes.'
        : `${left} need a previous secret still${values.check === true ? '' : '; run the command again'}.`,
    )
    return left === 0 ? 0 : leftCode
  } finally {
    await database.close()
  }
}
