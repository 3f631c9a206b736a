import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { version } from '../config/version.ts'
import { openPlace } from '../lib/places/open-place.ts'
import { loadEnvironmentFile } from '../lib/security/secret-files.ts'
import type { Encryption } from './encryption.ts'
import { backupName, removeOld } from './stored-backups.ts'
import { openBackup } from './write-backup.ts'

const usage = `Usage: tollgate backup [options]

  --to <place>               a folder, or s3://bucket/prefix (default: BACKUP_TO, else ./backups)
  --keep <number>            removes older backups there beyond this number (default: BACKUP_KEEP)
  --recipient <age1…>        encrypts for the holder of a key of age; may be repeated (default: BACKUP_RECIPIENTS)
  --passphrase-file <file>   encrypts with the passphrase in this file (default: BACKUP_PASSPHRASE_FILE)

The database is the one that \`tollgate serve\` would use; the server may go on. The encryption key of the installation
(CRYPTO_SECRET or DATA_DIR/secret.key) is not part of a backup: keep it elsewhere.`

/** The passphrase in a file, without the line feed at its end. */
export const passphraseIn = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '')

const encryptionOf = (recipients: readonly string[], passphraseFile: string | undefined): Encryption | undefined => {
  if (recipients.length > 0) return { kind: 'recipients', recipients }
  return passphraseFile === undefined ? undefined : { kind: 'passphrase', passphrase: passphraseIn(passphraseFile) }
}

interface Asked {
  readonly to: string
  readonly keep: number | undefined
  readonly encryption: Encryption | undefined
}

const askedOf = (args: readonly string[], { backups }: Config): Asked | undefined => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      to: { type: 'string' },
      keep: { type: 'string' },
      recipient: { type: 'string', multiple: true },
      'passphrase-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) return undefined
  const keep = values.keep === undefined ? backups.keep : Number(values.keep)
  if (keep !== undefined && !(Number.isSafeInteger(keep) && keep > 0))
    throw new Error(`--keep must be a number from 1, not ${values.keep}.`)
  return {
    to: values.to ?? backups.to ?? 'backups',
    keep,
    encryption: encryptionOf(
      values.recipient ?? backups.recipients,
      values['passphrase-file'] ?? backups.passphraseFile,
    ),
  }
}

/** `tollgate backup`: writes a copy of the databases as they are now, and removes what is too old. Answers the exit code. */
export const runBackupCommand = async (args: readonly string[]): Promise<number> => {
  loadEnvironmentFile()
  const config = readConfig(process.env)
  const asked = askedOf(args, config)
  if (asked === undefined) {
    console.log(usage)
    return 0
  }
  const { to, keep, encryption } = asked
  const place = openPlace(to, process.env)
  const at = Math.floor(Date.now() / 1000)
  const { database, logDatabase } = config
  const backup = await openBackup({ database, logDatabase, version, at }, encryption)
  const name = backupName(at, encryption !== undefined)
  try {
    await place.write(name, backup.bytes)
  } finally {
    await backup.close()
  }
  console.log(`${backup.rows} rows are in ${to.replace(/\/$/, '')}/${name}.`)
  for (const old of keep === undefined ? [] : await removeOld(place, keep)) console.log(`${old} was removed.`)
  return 0
}
