import { execSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'

/** Variables that hold secrets: each may be a file instead, named by `…_FILE` or in the folder `SECRETS_DIR`. */
export const secretVariables: readonly string[] = [
  'CRYPTO_SECRET',
  'CRYPTO_SECRET_PREVIOUS',
  'SESSION_SECRET',
  'SQL_DSN',
  'LOG_SQL_DSN',
  'REDIS_CONN_STRING',
  'INITIAL_ROOT_PASSWORD',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'TOLLGATE_TOKEN',
]

const directoryVariable = 'SECRETS_DIR'
const commandVariable = 'CRYPTO_SECRET_COMMAND'
const commandMs = 30_000

type Environment = Readonly<Record<string, string | undefined>>

const refused = (name: string, reason: string): Error => new Error(`${name} cannot be used: ${reason}.`)

const fileText = (name: string, path: string): string => {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw refused(name, `the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
  if (text === '') throw refused(name, `the file ${path} is empty`)
  return text
}

/** Output of a command, such as one that asks a key service. Its errors go to the standard error. */
const printedText = (command: string): string => {
  let text: string
  try {
    const stdio: ('ignore' | 'pipe' | 'inherit')[] = ['ignore', 'pipe', 'inherit']
    text = execSync(command, { encoding: 'utf8', timeout: commandMs, stdio }).trim()
  } catch (error) {
    const { status } = error as { status?: number | null }
    throw refused(commandVariable, `the command failed${typeof status === 'number' ? ` with ${status}` : ''}`)
  }
  if (text === '') throw refused(commandVariable, 'the command printed nothing')
  return text
}

/**
 * Secrets that stand in files or are printed by a command, by the names of their variables.
 * @throws Error with a sentence that names the variable and never a secret.
 */
export const secretsElsewhere = (environment: Environment): Readonly<Record<string, string>> => {
  const textOf = (name: string): string | undefined => ownMember(environment, name)?.trim() || undefined
  const found = new Map<string, string>()
  const directory = textOf(directoryVariable)
  for (const name of secretVariables) {
    const path = textOf(`${name}_FILE`)
    if (path !== undefined) {
      if (textOf(name) !== undefined) throw refused(`${name}_FILE`, `${name} is set, too`)
      found.set(name, fileText(`${name}_FILE`, path))
    } else if (directory !== undefined && textOf(name) === undefined && existsSync(join(directory, name))) {
      found.set(name, fileText(directoryVariable, join(directory, name)))
    }
  }
  const command = textOf(commandVariable)
  if (command === undefined) return Object.fromEntries(found)
  if (textOf('CRYPTO_SECRET') !== undefined || found.has('CRYPTO_SECRET'))
    throw refused(commandVariable, 'CRYPTO_SECRET is set, too')
  return Object.fromEntries(found.set('CRYPTO_SECRET', printedText(command)))
}

/** Puts secrets that stand elsewhere into the variables of this process, in place of where they stand. */
const loadSecretFiles = (): void => {
  const found = secretsElsewhere(process.env)
  Object.assign(process.env, found)
  for (const name of Object.keys(found)) Reflect.deleteProperty(process.env, `${name}_FILE`)
  Reflect.deleteProperty(process.env, commandVariable)
}

/**
 * Loads `.env` of the working directory, if it exists, and secrets that stand in files. Variables that are already set keep their
 * value. @throws Error with a sentence that names the variable whose file cannot be used.
 */
export const loadEnvironmentFile = (): void => {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  loadSecretFiles()
}
