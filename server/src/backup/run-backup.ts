import { reasonOf } from '../lib/reason-of.ts'
import { runBackupCommand } from './backup-command.ts'

try {
  process.exitCode = await runBackupCommand([])
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
