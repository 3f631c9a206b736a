import { exportSite } from './export-site.ts'
import { siteCommand, siteUsage } from './site-command.ts'
import { readSite } from './site-state.ts'

const usage = `Usage: tollgate export [options] > site.yaml

${siteUsage}

Prints options, groups, prices, channels and virtual models of a running site, for \`tollgate apply\`. Keys and other secrets are
not among it: their places hold names of variables.`

/** `tollgate export`: prints a site as a site file. Answers the exit code. */
export const runExportCommand = async (
  args: readonly string[],
  print: (text: string) => unknown = (text) => process.stdout.write(text),
): Promise<number> => {
  const { values, open } = siteCommand(args, {})
  if (values.help === true) {
    print(`${usage}\n`)
    return 0
  }
  print(exportSite(await readSite(open())))
  return 0
}
