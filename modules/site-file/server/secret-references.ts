import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'

export interface SecretSource {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Relative paths of files begin beside it. */
  readonly siteFile: string
}

/**
 * Value of `${NAME}` or `${file:path}`, without line feeds at its end.
 * @throws Error that names the reference and never shows a secret.
 */
export const resolveSecret = (reference: string, { environment, siteFile }: SecretSource): string => {
  const inner = reference.slice(2, -1)
  if (!inner.startsWith('file:')) {
    const value = ownMember(environment, inner)
    if (value === undefined || value === '') throw new Error(`The variable ${inner} is not set`)
    return value
  }
  const path = resolve(dirname(siteFile), inner.slice('file:'.length))
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
  } catch {
    throw new Error(`The file ${path} cannot be read`)
  }
  if (text === '') throw new Error(`The file ${path} is empty`)
  return text
}

/** Names of variables for secrets, each once. */
export const createVariableNames = (): ((...parts: readonly string[]) => string) => {
  const used = new Set<string>()
  return (...parts) => {
    const name = parts
      .map((part) =>
        part
          .toUpperCase()
          .replaceAll(/[^A-Z0-9]+/g, '_')
          .replaceAll(/^_+|_+$/g, ''),
      )
      .filter((part) => part !== '')
      .join('_')
    let free = name
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`
    used.add(free)
    return free
  }
}
