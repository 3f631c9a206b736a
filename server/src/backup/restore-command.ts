import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/engines/open.ts'
import { openPlace } from '../lib/places/open-place.ts'
import { loadEnvironmentFile } from '../lib/security/secret-files.ts'
import { passphraseIn } from './backup-command.ts'
import { type BackupSecrets, decrypted } from './encryption.ts'
import { restoreBackup } from './restore-backup.ts'
import { splitAddress } from './stored-backups.ts'

const usage = `Usage: tollgate restore <backup> [options]

  <backup>                   a file, or s3://bucket/prefix/name
  --identity-file <file>     opens one that was encrypted for a key of age
  --passphrase-file <file>   opens one that was encrypted with a passphrase (default: BACKUP_PASSPHRASE_FILE)

Fills the empty database that \`tollgate serve\` would use, of any engine, whichever the backup came from. Stop all nodes before, and put
the encryption key of the installation in its place.`

const openingOf = (identityFile: string | undefined, passphraseFile: string | undefined): BackupSecrets | undefined => {
  if (identityFile === undefined)
    return passphraseFile === undefined ? undefined : { kind: 'passphrase', passphrase: passphraseIn(passphraseFile) }
  const lines = readFileSync(identityFile, 'utf8').split(/\r?\n/)
  return { kind: 'identities', identities: lines.filter((line) => line.startsWith('AGE-SECRET-KEY-')) }
}

const opened = async (bytes: Readable, name: string, opening: BackupSecrets | undefined): Promise<Readable> => {
  if (!name.endsWith('.age')) return bytes
  if (opening === undefined) throw new Error('The backup is encrypted: name --identity-file or --passphrase-file.')
  return decrypted(bytes, opening)
}

const leftovers = (dataDir: string): boolean => {
  const journal = join(dataDir, 'journal')
  return existsSync(journal) && readdirSync(journal).some((name) => name.endsWith('.journal'))
}

/** `tollgate restore`: fills an empty database from a backup. Answers the exit code. */
export const runRestoreCommand = async (args: readonly string[]): Promise<number> => {
  loadEnvironmentFile()
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      'identity-file': { type: 'string' },
      'passphrase-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  const [address] = positionals
  if (values.help === true || address === undefined) {
    console.log(usage)
    return values.help === true ? 0 : 2
  }
  const config = readConfig(process.env)
  const { place, name } = splitAddress(address)
  const opening = openingOf(values['identity-file'], values['passphrase-file'] ?? config.backups.passphraseFile)
  const zipped = await opened(await openPlace(place, process.env).read(name), name, opening)
  const source = createGunzip()
  // Either may break before anybody reads; who reads then learns of it.
  source.on('error', () => undefined)
  zipped.on('error', (error) => source.destroy(error))
  const database = await openDatabase(config.database)
  const logDatabase = config.logDatabase === undefined ? database : await openDatabase(config.logDatabase)
  try {
    const { rows, tables, at, version } = await restoreBackup(zipped.pipe(source), { database, logDatabase })
    console.log(`${rows} rows of ${tables} tables, as they were on ${new Date(at * 1000).toISOString()} (${version}).`)
    if (leftovers(config.dataDir))
      console.log(`${config.dataDir}/journal holds calls of another time; remove it unless they belong to this copy.`)
    return 0
  } finally {
    if (logDatabase !== database) await logDatabase.close()
    await database.close()
  }
}
