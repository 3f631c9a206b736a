import { readFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { loadEnvironmentFile } from '#server/lib/security/secret-files.ts'
import { openSiteApi, type SiteApi } from './site-api.ts'

export const siteUsage = `  --url <address>        the running site (default: TOLLGATE_URL, else http://127.0.0.1:3000)
  --token-file <file>    holds a system access token of root (default: the variable TOLLGATE_TOKEN)
  --user <id>            whose token it is (default: TOLLGATE_USER, else 1)`

const siteOptions = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  user: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export interface SiteCommand<Options extends ParseArgsOptionsConfig> {
  readonly values: ReturnType<
    typeof parseArgs<{ options: Options & typeof siteOptions; allowPositionals: true }>
  >['values']
  readonly positionals: readonly string[]
  /** Opens the site that options and environment name. @throws Error where the token is missing. */
  open(): SiteApi
}

/** Reads the arguments of a command that works on a running site. */
export const siteCommand = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): SiteCommand<Options> => {
  loadEnvironmentFile()
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...options, ...siteOptions },
    allowPositionals: true,
  })
  const text = (name: 'url' | 'token-file' | 'user'): string | undefined => {
    const value = (values as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    values,
    positionals,
    open: () => {
      const { TOLLGATE_URL, TOLLGATE_TOKEN, TOLLGATE_USER } = process.env
      const file = text('token-file')
      const token = file === undefined ? TOLLGATE_TOKEN : readFileSync(file, 'utf8').trim()
      if (!token)
        throw new Error(
          'A system access token is needed: --token-file or TOLLGATE_TOKEN. The console makes one under personal settings.',
        )
      const url = text('url') ?? TOLLGATE_URL ?? 'http://127.0.0.1:3000'
      if (!/^https?:\/\//.test(url)) throw new Error(`${url} is not an address with http:// or https://.`)
      const userId = Number(text('user') ?? TOLLGATE_USER ?? 1)
      if (!Number.isSafeInteger(userId) || userId < 1) throw new Error('--user is the number of a user.')
      return openSiteApi({ url, token, userId }, (line) => process.stderr.write(`${line}\n`))
    },
  }
}
