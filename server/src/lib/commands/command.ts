import { parseArgs } from 'node:util'
import { reasonOf } from '../reason-of.ts'

/** True if the help of a command without options is requested. Throws for every other argument. */
export const wantsHelp = (args: readonly string[]): boolean =>
  parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h', default: false } } }).values.help

/** Ends this process with the exit code that a command answers; with 1, and the reason on standard error, where it throws. */
export const endWith = async (command: () => Promise<number>): Promise<void> => {
  try {
    process.exitCode = await command()
  } catch (error) {
    console.error(reasonOf(error))
    process.exitCode = 1
  }
}
