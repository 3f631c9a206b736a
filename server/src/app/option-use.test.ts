import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Option, type OptionKey, optionKeys, options } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'

/** Every option does something: there is a line, outside of the registry and the settings screen, that reads it. */

const root = join(import.meta.dirname, '../../..')

/** True for files that may use an option; those that only store, list, draw or test options are left out. */
const reads = (path: string): boolean =>
  /\.tsx?$/.test(path) &&
  !/\.test\.tsx?$|(^|\/)testing-|\.d\.ts$/.test(path) &&
  !/features\/settings\/|^[\w-]+\/options\.ts$|lib\/(preferences\/storage|status)\.ts$/.test(path)

const sourceOf = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => reads(path.replaceAll('\\', '/')))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')

const modules = sourceOf('modules')
const server = sourceOf('server/src') + modules
const console = sourceOf('web/src') + modules

/** As a property, a quoted key, a name that is taken apart, or a field of a port. */
const names = (source: string, word: string): boolean =>
  new RegExp(`(?:[.']|readonly |const \\{[^}=]*\\b)${word.replaceAll('.', '\\.')}(?!\\w)`).test(source)

/** By its key on the server, or by the name under which the console finds it in the status. */
const isRead = (key: OptionKey): boolean => {
  const { status }: Option<unknown> = options[key]
  return names(server, key) || (status !== undefined && names(console, status))
}

/** Kept because older databases hold them and their consoles show them; nothing is left that they could decide. */
const withoutEffect: readonly OptionKey[] = [
  'FileUploadPermission',
  'FileDownloadPermission',
  'ImageUploadPermission',
  'ImageDownloadPermission',
]

describe('every option', () => {
  it.each(optionKeys.filter((key) => !withoutEffect.includes(key)))('is read somewhere: %s', (key) => {
    expect(isRead(key)).toBe(true)
  })

  it.each(withoutEffect)('is taken off the list of unread ones once it is read: %s', (key) => {
    expect(isRead(key)).toBe(false)
  })

  it('that nothing reads says so where it is shown, or is not shown', () => {
    for (const key of withoutEffect) expect(options[key].hidden, key).toBe(true)
  })
})
