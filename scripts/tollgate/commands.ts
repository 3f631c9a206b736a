import { wantsHelp } from '../../server/src/lib/commands/command.ts'

/** Runs a command and answers its exit code; undefined for one that goes on after it has begun, such as a server. */
export type Run = (args: readonly string[]) => Promise<number | undefined>

/** A subcommand of `tollgate`. */
export interface Command {
  readonly name: string
  /** One line for `tollgate help`. */
  readonly summary: string
  /** Loads the code, so that no command pays for another. */
  readonly load: () => Promise<Run>
}

/** All subcommands, in the order of `tollgate help`. To add one, add its entry here. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'serves the gateway and its console; the same as no command',
    load: async () => async (args) => {
      if (wantsHelp(args)) {
        console.log('Usage: tollgate serve\n\nVariables of the environment, or of a file .env, decide how it runs.')
        return 0
      }
      await import('../start.ts')
      return undefined
    },
  },
  {
    name: 'import',
    summary: 'moves the database of new-api, one-api or LiteLLM into this gateway',
    load: async () => {
      const { runImportCommand } = await import('../../server/src/app/moving-in/import-command.ts')
      return (args) => runImportCommand(args)
    },
  },
  {
    name: 'backup',
    summary: 'writes a copy of the databases while the server runs, to a folder or S3, encrypted if asked',
    load: async () => (await import('../../server/src/app/backups/backup-command.ts')).runBackupCommand,
  },
  {
    name: 'restore',
    summary: 'fills an empty database of any engine from a backup',
    load: async () => (await import('../../server/src/app/backups/restore-command.ts')).runRestoreCommand,
  },
  {
    name: 'verify',
    summary: 'computes every balance and charge anew from the ledger, and says what differs',
    load: async () => (await import('../../server/src/ledger/verify/verify-command.ts')).runVerifyCommand,
  },
  {
    name: 'refused',
    summary: 'lists records that the database refused, and writes them again',
    load: async () => (await import('../../server/src/ledger/refused/refused-command.ts')).runRefusedCommand,
  },
  {
    name: 'new-epoch',
    summary: 'lets nothing in Redis count for a database that was restored by its own tools',
    load: async () => (await import('../../server/src/ledger/epoch/new-epoch-command.ts')).runNewEpochCommand,
  },
  {
    name: 'upgrade',
    summary: 'says what a start of this version would do to the database, tried on a copy',
    load: async () => {
      const { runUpgradeCommand } = await import('../../server/src/app/upgrade/upgrade-command.ts')
      return (args) => runUpgradeCommand(args)
    },
  },
  {
    name: 'rotate-secret',
    summary: 'encrypts everything that is stored with a new CRYPTO_SECRET while nodes go on',
    load: async () => {
      const { runRotateCommand } = await import('../../server/src/app/rotation/rotate-command.ts')
      return (args) => runRotateCommand(args)
    },
  },
  {
    name: 'renew-receipt-key',
    summary: 'makes a new key that signs receipts; those of the keys before it stay good',
    load: async () => {
      const { runReceiptKeyCommand } = await import('../../server/src/app/rotation/receipt-key-command.ts')
      return (args) => runReceiptKeyCommand(args)
    },
  },
  {
    name: 'export',
    summary: 'prints channels, models, groups, options and prices of a running site as a file',
    load: async () => {
      const { runExportCommand } = await import('../../server/src/app/site-file/export-command.ts')
      return (args) => runExportCommand(args)
    },
  },
  {
    name: 'apply',
    summary: 'makes a running site as a file says, or tells how they differ',
    load: async () => {
      const { runApplyCommand } = await import('../../server/src/app/site-file/apply-command.ts')
      return (args) => runApplyCommand(args)
    },
  },
]
