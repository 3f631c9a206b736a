import { moduleCommands } from '../../modules/lists/commands.ts'
import type { ModuleCommand } from '../../server/src/app/modules/module-command.ts'
import { wantsHelp } from '../../server/src/lib/commands/command.ts'

/** Subcommands of the kernel. */
const ownCommands: readonly ModuleCommand[] = [
  {
    name: 'serve',
    position: 0,
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
    name: 'backup',
    position: 2,
    summary: 'writes a copy of the databases while the server runs, to a folder or S3, encrypted if asked',
    load: async () => (await import('../../server/src/backup/backup-command.ts')).runBackupCommand,
  },
  {
    name: 'restore',
    position: 3,
    summary: 'fills an empty database of any engine from a backup',
    load: async () => (await import('../../server/src/backup/restore-command.ts')).runRestoreCommand,
  },
  {
    name: 'verify',
    position: 4,
    summary: 'computes every balance and charge anew from the ledger, and says what differs',
    load: async () => (await import('../../server/src/ledger/verify/verify-command.ts')).runVerifyCommand,
  },
  {
    name: 'refused',
    position: 5,
    summary: 'lists records that the database refused, and writes them again',
    load: async () => (await import('../../server/src/ledger/refused/refused-command.ts')).runRefusedCommand,
  },
  {
    name: 'new-epoch',
    position: 6,
    summary: 'lets nothing in Redis count for a database that was restored by its own tools',
    load: async () => (await import('../../server/src/ledger/epoch/new-epoch-command.ts')).runNewEpochCommand,
  },
  {
    name: 'upgrade',
    position: 7,
    summary: 'says what a start of this version would do to the database, tried on a copy',
    load: async () => {
      const { runUpgradeCommand } = await import('../../server/src/upgrade/upgrade-command.ts')
      return (args) => runUpgradeCommand(args)
    },
  },
  {
    name: 'rotate-secret',
    position: 8,
    summary: 'encrypts everything that is stored with a new CRYPTO_SECRET while nodes go on',
    load: async () => {
      const { runRotateCommand } = await import('../../server/src/rotation/rotate-command.ts')
      return (args) => runRotateCommand(args)
    },
  },
  {
    name: 'renew-receipt-key',
    position: 9,
    summary: 'makes a new key that signs receipts; those of the keys before it stay good',
    load: async () => {
      const { runReceiptKeyCommand } = await import('../../server/src/rotation/receipt-key-command.ts')
      return (args) => runReceiptKeyCommand(args)
    },
  },
]

/** All subcommands, those of modules included, in the order of `tollgate help`. */
export const commands: readonly ModuleCommand[] = [...ownCommands, ...moduleCommands].toSorted(
  (left, right) => left.position - right.position,
)
