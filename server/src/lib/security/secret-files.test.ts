import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { secretsElsewhere } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('secrets that stand elsewhere', () => {
  it('are read from files, of a variable of their own or in one folder', () => {
    file('SQL_DSN', 'postgres://one\n')
    file('CRYPTO_SECRET', 'of the folder')
    file('unknown', 'is no variable')
    const environment = { CRYPTO_SECRET_FILE: file('own', ' of the file\r\n'), SECRETS_DIR: folder }
    expect(secretsElsewhere(environment)).toEqual({ CRYPTO_SECRET: 'of the file', SQL_DSN: 'postgres://one' })
    expect(secretsElsewhere({ SECRETS_DIR: folder, SQL_DSN: 'set' })).toEqual({ CRYPTO_SECRET: 'of the folder' })
    expect(secretsElsewhere({ BACKUP_PASSPHRASE_FILE: '/nowhere' })).toEqual({})
  })

  it('are printed by a command', () => {
    expect(secretsElsewhere({ CRYPTO_SECRET_COMMAND: 'printf "from a key service\\n"' })).toEqual({
      CRYPTO_SECRET: 'from a key service',
    })
  })

  it('stop with a sentence that names the variable and shows no secret', () => {
    const refused = (environment: Record<string, string>) => () => secretsElsewhere(environment)
    expect(refused({ SQL_DSN_FILE: '/nowhere/dsn' })).toThrow(
      'SQL_DSN_FILE cannot be used: the file /nowhere/dsn cannot be read (ENOENT).',
    )
    expect(refused({ SQL_DSN_FILE: file('empty', '\n') })).toThrow('is empty')
    expect(refused({ SQL_DSN_FILE: file('dsn', 'x'), SQL_DSN: 'y' })).toThrow('SQL_DSN is set, too')
    expect(refused({ CRYPTO_SECRET_COMMAND: 'exit 3' })).toThrow('the command failed with 3')
    expect(refused({ CRYPTO_SECRET_COMMAND: 'true' })).toThrow('printed nothing')
    expect(refused({ CRYPTO_SECRET_COMMAND: 'echo x', CRYPTO_SECRET: 'y' })).toThrow('CRYPTO_SECRET is set, too')
  })
})
