import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const command = join(import.meta.dirname, 'verify-command.ts')

/** Runs the command in a directory of its own with this `.env`. */
const verifyWith = (file: string): Promise<{ code: unknown; stderr: string }> => {
  const cwd = mkdtempSync(join(tmpdir(), 'tollgate-verify-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  writeFileSync(join(cwd, '.env'), file)
  const { SQL_DSN: _, ...env } = process.env
  return new Promise((resolve) =>
    execFile(process.execPath, [command], { cwd, env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    ),
  )
}

it.each([
  ['an address that is none', 'SQL_DSN=nonsense', /^SQL_DSN cannot be used: [^\n]+\.\n$/],
  [
    'a database that does not answer',
    'SQL_DSN=postgres://u:pass-word@127.0.0.1:9/x',
    /^Cannot open (?!.*pass-word)[^\n]+\n$/,
  ],
  ['no database', 'SQL_DSN=sqlite:none.db', /^There is no database at [^\n]+none\.db\.\n$/],
])('reads the environment file of the server and says in a sentence that there is %s', async (_, file, sentence) => {
  const { code, stderr } = await verifyWith(file)
  expect(stderr).toMatch(sentence)
  expect(code).toBe(1)
})
