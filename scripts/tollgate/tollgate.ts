import { guardStandardStreams } from '../../server/src/lib/standard-output.ts'
import { commands } from './commands.ts'
import { runTollgate } from './run.ts'

guardStandardStreams()
const code = await runTollgate(commands, process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
})
if (code !== undefined) process.exitCode = code
