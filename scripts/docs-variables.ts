import { readConfig } from '../server/src/config/config.ts'

/** Names of the environment variables that the server reads, found by letting it read an empty environment. */
export const variablesRead = (): ReadonlySet<string> => {
  const names = new Set<string>()
  readConfig(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          names.add(String(name))
          return undefined
        },
        getOwnPropertyDescriptor: (_, name) => {
          names.add(String(name))
          return undefined
        },
      },
    ),
  )
  return names
}

/** Variables in the first column of the page's tables. */
const variablesNamed = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name))

/** Differences between the configuration page and the server, one sentence each. */
export const configurationGaps = (page: string): string[] => {
  const [read, named] = [variablesRead(), variablesNamed(page)]
  return [
    ...[...read].filter((name) => !named.has(name)).map((name) => `docs/configuration.md does not name ${name}`),
    ...[...named].filter((name) => !read.has(name)).map((name) => `docs/configuration.md names ${name}, unknown here`),
  ]
}
