import { parseArgs } from 'node:util'
import { type ColumnCount, rotateSecrets } from '../db/secret-rotation/rotate.ts'
import { withSecrets } from './with-secrets.ts'

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
  const write = values.check !== true
  const counts = await withSecrets(environment, (opened) => rotateSecrets({ ...opened, write }))
  for (const count of counts) if (count.total > 0) print(lineOf(count))
  const left = counts.reduce((sum, count) => sum + count.left, 0)
  print(
    left === 0
      ? 'Nothing needs a previous secret any more: CRYPTO_SECRET_PREVIOUS can go from all nodes.'
      : `${left} need a previous secret still${write ? '; run the command again' : ''}.`,
  )
  return left === 0 ? 0 : leftCode
}
