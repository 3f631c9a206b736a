import type { RolldownOutput } from 'rolldown'

/** The list beside the bundle. */
export const packagesFile = 'packages.json'

/** The package of a module's path, undefined for the program's own. */
const packageOf = (path: string): string | undefined =>
  /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1]

/** The packages in each file of a bundle: they show which packages a start loads. */
export const packagesOf = (output: RolldownOutput['output']): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    output
      .filter((file) => file.type === 'chunk')
      .map(({ fileName, modules }) => {
        // An unused module leaves no code.
        const left = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0)
        const names = left.map(([path]) => packageOf(path)).filter((name) => name !== undefined)
        return [fileName, [...new Set(names)].sort()] as const
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
