import type { ModuleCommand } from '../../server/src/app/modules/module-command.ts'
import { reasonOf } from '../../server/src/lib/reason-of.ts'

const helpNames: ReadonlySet<string> = new Set(['help', '--help', '-h'])

const help = (commands: readonly ModuleCommand[]): string => {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return ['Usage: tollgate [command]', '', ...lines, '', 'More about a command: tollgate <command> --help'].join('\n')
}

/** An option that the command does not have, or one without its value; `parseArgs` of Node throws these. */
const isBadArgument = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')

/** Streams for lines: output and errors, so that the output alone can be piped on. */
export interface Output {
  readonly out: (line: string) => unknown
  readonly error: (line: string) => unknown
}

/**
 * Runs the subcommand that the first argument names, or `serve` without arguments. Answers the exit code: 2 for a command
 * or an option that does not exist, 1 for one that failed, undefined while a server goes on.
 */
export const runTollgate = async (
  commands: readonly ModuleCommand[],
  args: readonly string[],
  { out, error: printError }: Output,
): Promise<number | undefined> => {
  const [name = 'serve', ...rest] = args
  if (helpNames.has(name)) {
    out(help(commands))
    return 0
  }
  const command = commands.find((entry) => entry.name === name)
  if (command === undefined) {
    printError(`There is no command "${name}".\n\n${help(commands)}`)
    return 2
  }
  try {
    const run = await command.load()
    return await run(rest)
  } catch (error) {
    if (isBadArgument(error)) {
      // Node goes on about arguments that begin with a dash, after the first sentence.
      printError(`tollgate ${name}: ${reasonOf(error).split('. ')[0]}. See tollgate ${name} --help.`)
      return 2
    }
    printError(`tollgate ${name}: ${reasonOf(error)}`)
    return 1
  }
}
